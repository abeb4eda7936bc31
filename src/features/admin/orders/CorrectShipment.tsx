import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useCorrectShipmentMutation } from '../../../api/apiSlice';
import type { ShippingEntry } from '../../../contract/entities';
import { notify } from '../../../feedback/notify';
import { Button } from '../../../ui/Button';
import { Form } from '../../../ui/Form';
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
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const entry = order.shippingLog?.at(-1);
  if (!entry) return null;

  /** Moves the focus back to the button that opened the form. */
  const close = () => {
    flushSync(() => setOpen(false));
    button.current?.focus();
  };
  return (
    <>
      {isOpen && <CorrectionForm order={order} entry={entry} onDone={close} onConflict={onConflict} />}
      <div>
        <Button ref={button} variant="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Close' : 'Correct the shipment'}
        </Button>
      </div>
    </>
  );
}
