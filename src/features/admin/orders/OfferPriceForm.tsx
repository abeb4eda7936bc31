import { useEffect } from 'react';
import { useWatch } from 'react-hook-form';
import { useGetToolQuery, useOfferPriceMutation } from '../../../api/apiSlice';
import type { Order, Tool } from '../../../contract/entities';
import { formatDollars, formatWithCommas } from '../../../contract/formatWithCommas';
import { describeOrder } from '../../../contract/describeOrder';
import { notify } from '../../../feedback/notify';
import { FormField } from '../../../ui/Field';
import { parseWholeNumber, priceRules } from '../../../ui/fieldRules';
import { Form } from '../../../ui/Form';
import { customerNameOf, ORDER_MESSAGES } from './orderMessages';
import { useOrderAction, type OrderActionProps } from './useOrderAction';

function hintOf({ totalQuantity }: Order, typed: string, tool: Tool | undefined): string {
  const price = parseWholeNumber(typed);
  const total = price > 0 ? `Total: ${formatDollars(price * totalQuantity)}.` : 'In whole US dollars.';
  if (!tool) return total;
  const stock = formatWithCommas(tool.availableQuantity);
  return `${total} List price: ${formatDollars(tool.price)}. In stock: ${stock}.`;
}

export function OfferPriceForm({ order, updates, takesFocus, onConflict }: OrderActionProps) {
  const { data: tool } = useGetToolQuery(order.toolId);
  const [offerPrice] = useOfferPriceMutation();
  const { form, busy, error, submit } = useOrderAction({
    defaults: { price: '' },
    act: (fields) => offerPrice({ order, price: parseWholeNumber(fields.price) }).unwrap(),
    onDone() {
      notify.success(ORDER_MESSAGES.priceOffered, true);
      updates.openNextOrder(order);
    },
    onConflict,
  });
  const { setFocus } = form;
  useEffect(() => {
    if (takesFocus) setFocus('price');
  }, [takesFocus, setFocus]);
  const { price = '' } = useWatch({ control: form.control });

  return (
    <Form
      label={`Offer a price to ${customerNameOf(order)} for ${describeOrder(order)}`}
      action="Offer this price"
      busy={busy}
      error={error}
      onSubmit={submit}
    >
      <FormField
        form={form}
        name="price"
        label="Price per piece"
        hint={hintOf(order, price, tool)}
        rules={priceRules('Price per piece')}
        inputMode="numeric"
        autoComplete="off"
      />
    </Form>
  );
}
