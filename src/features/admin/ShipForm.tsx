import { useEffect, useState } from 'react';
import { useShipOrderMutation } from '../../api/apiSlice';
import type { Order } from '../../contract/entities';
import { describeOrder } from '../../contract/describeOrder';
import { notify } from '../../feedback/notify';
import { drafts } from '../../forms/drafts';
import { useSubmitForm } from '../../forms/useSubmitForm';
import { Form } from '../../ui/Form';
import { conflictOrText, customerNameOf, ORDER_MESSAGES } from './orderMessages';
import { RiskWarning } from './ordersStyle';
import { hasOpenOrLostDispute } from './orderStatus';
import { ShipmentFields, shipmentOf, type ShipmentFieldValues } from './ShipmentFields';
import type { OrderUpdates } from './useOrderUpdates';

/** The name of the draft with the last carrier, because the next order is often shipped by the same one. */
const LAST_CARRIER = 'last-carrier';
const blankFields = (): ShipmentFieldValues => ({
  carrier: drafts.valuesOf<ShipmentFieldValues>(LAST_CARRIER).carrier ?? '',
  tracking: '',
  link: '',
  note: '',
});

export interface OrderFormProps {
  order: Order;
  updates: OrderUpdates;
  takesFocus: boolean;
  onConflict: (text: string) => void;
}

export function ShipForm({ order, updates, takesFocus, onConflict }: OrderFormProps) {
  const [shipOrder] = useShipOrderMutation();
  const [defaults] = useState(blankFields);
  const isDisputed = hasOpenOrLostDispute(order);
  const { form, busy, error, submit } = useSubmitForm<ShipmentFieldValues>({
    defaults,
    draft: `shipment:${order._id}`,
    send: async (fields) => {
      const shipment = { ...shipmentOf(fields), ...(isDisputed && { despiteDispute: true }) };
      await shipOrder({ order, shipment }).unwrap();
      drafts.saveValues(LAST_CARRIER, { carrier: shipment.carrier });
      return { leave: () => (notify.success(ORDER_MESSAGES.shipped, true), updates.openNextOrder(order)) };
    },
    onFailure: conflictOrText(onConflict),
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
