import { useEffect, useState } from 'react';
import { useCorrectShipmentMutation } from '../../../api/apiSlice';
import type { ShippingEntry } from '../../../contract/entities';
import { notify } from '../../../feedback/notify';
import { Form } from '../../../ui/Form';
import { Correction } from './Correction';
import { ORDER_MESSAGES } from './orderMessages';
import { ShipmentFields, shipmentOf } from './ShipmentFields';
import { useOrderAction, type OrderActionProps } from './useOrderAction';

type Props = Pick<OrderActionProps, 'order' | 'onConflict'>;
type FormProps = Props & { entry: ShippingEntry; onDone: () => void };

function CorrectionForm({ order, entry, onDone, onConflict }: FormProps) {
  const [correctShipment] = useCorrectShipmentMutation();
  const { carrier, tracking, link, note } = entry;
  const [defaults] = useState({ carrier, tracking, link: link ?? '', note: note ?? '' });
  const { form, busy, error, submit } = useOrderAction({
    defaults,
    act: (fields) => correctShipment({ order, shipment: shipmentOf(fields) }).unwrap(),
    onDone() {
      notify.success(ORDER_MESSAGES.shipmentCorrected);
      onDone();
    },
    onConflict,
  });
  const { setFocus } = form;
  useEffect(() => setFocus('tracking'), [setFocus]);

  return (
    <Form label="Correct the shipment" action="Save and email the customer" busy={busy} error={error} onSubmit={submit}>
      <ShipmentFields form={form} />
    </Form>
  );
}

/** Corrects a shipment that the customer has already seen. */
export function CorrectShipment({ order, onConflict }: Props) {
  const entry = order.shippingLog?.at(-1);
  return entry ? (
    <Correction label="Correct the shipment">
      {(close) => <CorrectionForm order={order} entry={entry} onDone={close} onConflict={onConflict} />}
    </Correction>
  ) : null;
}
