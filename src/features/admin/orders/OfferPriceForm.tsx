import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { useWatch } from 'react-hook-form';
import { useGetToolQuery, useOfferPriceMutation } from '../../../api/apiSlice';
import type { Order, Tool } from '../../../contract/entities';
import { formatDollars, formatWithCommas } from '../../../contract/formatWithCommas';
import { describeOrder } from '../../../contract/describeOrder';
import { notify } from '../../../feedback/notify';
import { Dialog } from '../../../ui/Dialog';
import { FormField } from '../../../ui/Field';
import { parseWholeNumber, priceRules } from '../../../ui/fieldRules';
import { Form } from '../../../ui/Form';
import { customerNameOf, ORDER_MESSAGES } from './orderMessages';
import { RiskWarning } from './ordersStyle';
import { useOrderAction, type OrderActionProps } from './useOrderAction';

function hintOf({ totalQuantity, offered }: Order, price: number, tool: Tool | undefined): string {
  const total = price > 0 ? `Total: ${formatDollars(price * totalQuantity)}.` : 'In whole US dollars.';
  if (!tool) return total;
  const isShort = tool.availableQuantity < totalQuantity;
  const inStock = `In stock: ${formatWithCommas(tool.availableQuantity)}.${isShort ? ' Restock the tool first.' : ''}`;
  const stock = offered ? '' : ` ${inStock}`;
  return `${total} List price: ${formatDollars(tool.price)}.${stock}`;
}

/** @returns a warning if the price may be a typing mistake */
function warningOf(price: number, listPrice: number): string {
  const isLow = price * 2 < listPrice;
  if (!isLow && price <= listPrice * 2) return '';
  const comparison = isLow ? 'less than half of' : 'more than twice';
  return `${formatDollars(price)} is ${comparison} the list price, ${formatDollars(listPrice)}. Is that right?`;
}

/** @param onCorrected closes the form after a correction. An unpriced order has none. */
export function OfferPriceForm({
  order,
  updates,
  takesFocus,
  onConflict,
  onCorrected,
}: OrderActionProps & { onCorrected?: () => void }) {
  const { data: tool } = useGetToolQuery(order.toolId);
  const [offerPrice] = useOfferPriceMutation();
  const [question, setQuestion] = useState<'total' | 'warning'>();
  const close = () => flushSync(() => setQuestion(undefined));
  const { form, busy, error, submit } = useOrderAction({
    defaults: { price: '' },
    act: ({ price }) =>
      offerPrice({ order, price: parseWholeNumber(price), was: order.price })
        .unwrap()
        .finally(close),
    onDone() {
      notify.success(onCorrected ? ORDER_MESSAGES.priceCorrected : ORDER_MESSAGES.priceOffered, true);
      if (onCorrected) onCorrected();
      else updates.openNextOrder(order);
    },
    onConflict,
  });
  const { setFocus } = form;
  useEffect(() => {
    if (takesFocus) setFocus('price');
  }, [takesFocus, setFocus]);
  const price = parseWholeNumber(useWatch({ control: form.control }).price ?? '');
  const warning = tool ? warningOf(price, tool.price) : '';
  const [title, action] = onCorrected
    ? ['Correct the price?', 'Correct the price']
    : ['Offer this price?', 'Offer this price'];

  return (
    <>
      <Form
        label={`${onCorrected ? 'Correct the price for' : 'Offer a price to'} ${customerNameOf(order)} for ${describeOrder(order)}`}
        action={action}
        busy={busy}
        error={error}
        onSubmit={form.handleSubmit(
          () => setQuestion('total'),
          () => setFocus('price'),
        )}
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
      <Dialog
        open={question !== undefined}
        title={title}
        confirm={question === 'warning' ? `Yes, ${formatDollars(price)} each` : action}
        busy={busy}
        onConfirm={() => (question === 'total' && warning ? setQuestion('warning') : void submit())}
        onCancel={close}
      >
        {question === 'total' && (
          <p>
            <strong>
              {formatDollars(price)} each, {formatDollars(price * order.totalQuantity)} in all
            </strong>{' '}
            for {describeOrder(order)} of <bdi>{customerNameOf(order)}</bdi>.
          </p>
        )}
        {question === 'warning' && <RiskWarning role="alert">{warning}</RiskWarning>}
      </Dialog>
    </>
  );
}
