import { useEffect, useState } from 'react';
import { useShipOrderMutation } from '../../../api/apiSlice';
import { describeOrder } from '../../../contract/describeOrder';
import { notify } from '../../../feedback/notify';
import { drafts } from '../../../forms/drafts';
import { Form } from '../../../ui/Form';
import { customerNameOf, ORDER_MESSAGES } from './orderMessages';
import { RiskWarning } from './ordersStyle';
import { hasOpenOrLostDispute } from './orderStatus';
import { ShipmentFields, shipmentOf, type ShipmentFieldValues } from './ShipmentFields';
import { useOrderAction, type OrderActionProps } from './useOrderAction';

/** The name of the draft with the last carrier, because the next order is often shipped by the same one. */
const LAST_CARRIER = 'last-carrier';
const blankFields = (): ShipmentFieldValues => ({
  carrier: drafts.valuesOf<ShipmentFieldValues>(LAST_CARRIER).carrier ?? '',
  tracking: '',
  link: '',
  note: '',
});

export function ShipForm({ order, updates, takesFocus, onConflict }: OrderActionProps) {
  const [shipOrder] = useShipOrderMutation();
  const [defaults] = useState(blankFields);
  const isDisputed = hasOpenOrLostDispute(order);
  const { form, busy, error, submit } = useOrderAction({
    defaults,
    draft: `shipment:${order._id}`,
    act: (fields) =>
      shipOrder({ order, shipment: { ...shipmentOf(fields), ...(isDisputed && { despiteDispute: true }) } }).unwrap(),
    onDone() {
      drafts.saveValues(LAST_CARRIER, { carrier: form.getValues('carrier').trim() });
      notify.success(ORDER_MESSAGES.shipped, true);
      updates.openNextOrder(order);
    },
    onConflict,
  });
  const { setFocus, getValues } = form;
  useEffect(() => {
    if (takesFocus) setFocus(getValues('carrier') ? 'tracking' : 'carrier');
  }, [takesFocus, setFocus, getValues]);

  return (
    <Form
      label={`Ship ${describeOrder(order)} to ${customerNameOf(order)}`}
      action={isDisputed ? 'Ship anyway' : 'Ship'}
      busy={busy}
      error={error}
      onSubmit={submit}
    >
      {isDisputed && <RiskWarning>{ORDER_MESSAGES.shippingRisk}</RiskWarning>}
      <ShipmentFields form={form} />
    </Form>
  );
}
