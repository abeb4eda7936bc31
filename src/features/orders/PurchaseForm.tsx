import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { useSearchParams } from 'react-router-dom';
import { apiSlice, usePlaceOrderMutation } from '../../api/apiSlice';
import { useApiDispatch } from '../../api/useApiDispatch';
import type { OrderDraft, Tool } from '../../contract/entities';
import { SPEC_MESSAGES } from '../../contract/specMessages';
import { PAGE_MESSAGES } from '../../contract/pageMessages';
import { nameOf } from '../../contract/displayName';
import { formatWithCommas } from '../../contract/formatWithCommas';
import { failureOf } from '../../contract/problem';
import { unpricedNotice } from '../../contract/unpricedNotice';
import { useSubmitForm } from '../../forms/useSubmitForm';
import { useSession } from '../../session/hooks';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { AddressField, PhoneField } from '../../ui/knownFields';
import { ErrorText } from '../../ui/page';
import { useHydrated } from '../../ui/useHydrated';
import { useNavigateWhileMounted } from '../../ui/useNavigateWhileMounted';
import { parseQuantity, totalOf } from './orderRules';
import { Form, Total } from './purchaseStyle';
import { NotOnSale } from './NotOnSale';
import { QuantityField, type PurchaseFields } from './QuantityField';

const BLANK: PurchaseFields = { address: '', phone: '', totalQuantity: '' };

const { invalidateTags } = apiSlice.util;
const toolTags = (id: string) => ['LIST', id].map((tag) => ({ type: 'Tool' as const, id: tag }));

/** The form's message about the last request. */
interface PurchaseOutcome {
  sentence: string;
  newPrice?: number;
}

/** @returns undefined for a failure that is shown at its field or as a toast */
function purchaseOutcomeOf(error: unknown): PurchaseOutcome | undefined {
  const { status, problem } = failureOf(error);
  if (problem?.code === 'tool_not_on_sale') return { sentence: problem.detail };
  if (problem?.code !== 'price_changed')
    return typeof status === 'number' ? undefined : { sentence: PAGE_MESSAGES.noReplyToOrder };
  const newPrice = Number(problem.meta?.['price']);
  return { sentence: `The price has changed to $${formatWithCommas(newPrice)} each.`, newPrice };
}

/** "Order N instead" on the payment page links here with a quantity. */
function useQuantityFromUrl(): Partial<PurchaseFields> {
  const quantity = useSearchParams()[0].get('quantity') ?? '';
  return /^\d{1,7}$/.test(quantity) ? { totalQuantity: quantity } : {};
}

function usePurchase(tool: Tool) {
  const session = useSession();
  const navigate = useNavigateWhileMounted();
  const [placeOrder] = usePlaceOrderMutation();
  const dispatch = useApiDispatch();
  const [outcome, setOutcome] = useState<PurchaseOutcome>();
  const price = outcome?.newPrice ?? tool.price;

  function draftOf({ address, phone, totalQuantity }: PurchaseFields): OrderDraft {
    const typed = { address: address.trim(), phone: phone.trim(), totalQuantity: Number(totalQuantity) };
    const who = { client: nameOf(session), email: session.email };
    return { ...who, price, productName: tool.name, toolId: tool._id, ...typed };
  }

  const purchase = useSubmitForm<PurchaseFields>({
    defaults: BLANK,
    draft: `purchase/${tool._id}`,
    prefill: useQuantityFromUrl(),
    success: SPEC_MESSAGES.orderPlaced,
    send: async (fields, keyFor) => {
      const draft = draftOf(fields);
      setOutcome(undefined);
      const order = await placeOrder({ draft, key: keyFor(draft) })
        .unwrap()
        .catch((error: unknown) => {
          setOutcome(purchaseOutcomeOf(error));
          if (failureOf(error).problem?.code === 'tool_not_on_sale') dispatch(invalidateTags(toolTags(tool._id)));
          throw error;
        });
      if (order.price !== null) return { leave: () => void navigate('/dashboard/myorder') };
      setOutcome({ sentence: unpricedNotice(order.unpriced, order.totalQuantity) });
      return undefined;
    },
    showsFailure: (error) => purchaseOutcomeOf(error) !== undefined,
  });
  return { ...purchase, price, outcome };
}

export function PurchaseForm({ tool }: { tool: Tool }) {
  const session = useSession();
  const { form, price, outcome, busy, error, submit } = usePurchase(tool);
  const quantity = parseQuantity(useWatch({ control: form.control, name: 'totalQuantity' }));
  const total = quantity > 0 ? totalOf(price, quantity) : 0;
  const isHydrated = useHydrated();
  const notice = outcome?.sentence ?? error;

  if (tool.onSale === false) return <NotOnSale takesFocus={outcome !== undefined} />;
  return (
    <Form method="post" noValidate onSubmit={submit} aria-label={`Order ${tool.name}`}>
      <Field label="Name" name="name" value={nameOf(session)} readOnly />
      <Field label="Email" name="email" type="email" value={session.email} readOnly />
      <Field label="Product name" name="productName" value={tool.name} readOnly />
      <AddressField form={form} name="address" />
      <PhoneField form={form} name="phone" />
      <QuantityField tool={tool} form={form} />
      <Total>
        Total <output>{`$ ${total}`}</output>
      </Total>
      {notice && <ErrorText>{notice}</ErrorText>}
      <Button type="submit" wide busy={busy} disabled={!isHydrated}>
        {outcome?.newPrice === undefined ? 'Place order' : `Order at $${formatWithCommas(price)} each`}
      </Button>
    </Form>
  );
}
