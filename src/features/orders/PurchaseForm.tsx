import { useWatch } from 'react-hook-form';
import { useSession } from '../../session/hooks';
import type { Tool } from '../../contract/entities';
import { nameOf } from '../../contract/names';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { AddressField, PhoneField } from '../../ui/knownFields';
import { useHydrated } from '../../ui/useHydrated';
import { quantityOf, totalOf } from './orderRules';
import { usePurchaseForm } from './usePurchaseForm';
import { PurchaseNotice } from './PurchaseNotice';
import { Form, Total } from './purchaseStyle';
import { QuantityField } from './QuantityField';

export function PurchaseForm({ tool }: { tool: Tool }) {
  const session = useSession();
  const { form, price, outcome, busy, submit } = usePurchaseForm(tool);
  const { errors } = form.formState;
  const quantity = quantityOf(useWatch({ control: form.control, name: 'totalQuantity' }));
  const total = quantity > 0 ? totalOf(price, quantity) : 0;
  const alive = useHydrated();
  const again = outcome && 'newPrice' in outcome;

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
      <PurchaseNotice outcome={outcome} rootError={errors.root?.message} />
      <Button type="submit" wide busy={busy} disabled={!alive}>
        {again ? `Order at $ ${price} a piece` : 'Place order'}
      </Button>
    </Form>
  );
}
