import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useSearchParams } from 'react-router-dom';
import { usePlaceOrderMutation } from '../../api/apiSlice';
import { useSession } from '../../session/hooks';
import { draftKey, forgetDraft, renewDraftKey, useDraft, useKeepDraft } from '../../forms/useDraft';
import { showFieldErrors } from '../../forms/useSubmitForm';
import type { OrderDraft, Tool } from '../../contract/entities';
import { nameOf } from '../../contract/names';
import { failureOf } from '../../contract/problem';
import { unpricedNotice } from '../../contract/unpricedNotice';
import { useNavigateIfHere } from '../../ui/useNavigateIfHere';

export interface PurchaseFields {
  address: string;
  phone: string;
  totalQuantity: string;
}

const BLANK: PurchaseFields = { address: '', phone: '', totalQuantity: '' };

/** What became of the last try, as far as the page has to say it. */
export type Outcome = { whyUnpriced: string } | { newPrice: number } | { noAnswer: true } | undefined;

function outcomeOf(error: unknown): Outcome {
  const { status, problem } = failureOf(error);
  if (problem?.code === 'price_changed') return { newPrice: Number(problem.meta?.['price']) };
  return typeof status === 'number' ? undefined : { noAnswer: true };
}

/** A link can say how many, as the payment page's "order N instead" does. */
function useAskedQuantity(): Partial<PurchaseFields> {
  const asked = useSearchParams()[0].get('quantity') ?? '';
  return /^\d{1,7}$/.test(asked) ? { totalQuantity: asked } : {};
}

export function usePurchaseForm(tool: Tool) {
  const session = useSession();
  const navigate = useNavigateIfHere();
  const name = `purchase/${tool._id}`;
  const draft = useDraft<PurchaseFields>(name, BLANK);
  const form = useForm<PurchaseFields>({ defaultValues: { ...draft, ...useAskedQuantity() } });
  const [placeOrder] = usePlaceOrderMutation();
  const [outcome, setOutcome] = useState<Outcome>();
  useKeepDraft(name, form);
  const price = outcome && 'newPrice' in outcome ? outcome.newPrice : tool.price;

  function draftOf({ address, phone, totalQuantity }: PurchaseFields): OrderDraft {
    const typed = { address: address.trim(), phone: phone.trim(), totalQuantity: Number(totalQuantity) };
    const who = { client: nameOf(session), email: session.email };
    return { ...who, price, productName: tool.name, toolId: tool._id, ...typed };
  }

  async function send(fields: PurchaseFields) {
    const draft = draftOf(fields);
    setOutcome(undefined);
    try {
      const order = await placeOrder({ draft, key: draftKey(name, draft) }).unwrap();
      if (order.price === null) {
        renewDraftKey(name);
        return setOutcome({ whyUnpriced: unpricedNotice(order.unpriced, order.totalQuantity) });
      }
      forgetDraft(name);
      await navigate('/dashboard/myorder');
    } catch (error) {
      if (failureOf(error).problem?.code === 'idempotency_key_reused') renewDraftKey(name);
      showFieldErrors(form, error);
      setOutcome(outcomeOf(error));
    }
  }

  return { form, price, outcome, busy: form.formState.isSubmitting, submit: form.handleSubmit(send) };
}
