import { useEffect, useState } from 'react';
import { useShipOrderMutation } from '../../api/apiSlice';
import type { Order, ShipmentDraft } from '../../contract/entities';
import { MAX_LENGTH } from '../../contract/limits';
import { safeHref } from '../../contract/links';
import { PAGE_MESSAGES } from '../../contract/pageMessages';
import { describeOrder } from '../../contract/describeOrder';
import { notify } from '../../feedback/notify';
import { drafts } from '../../forms/drafts';
import { useSubmitForm } from '../../forms/useSubmitForm';
import { FormField } from '../../ui/Field';
import { optionalTextRules, textRules } from '../../ui/fieldRules';
import { Form } from '../../ui/Form';
import { FieldRow } from '../../ui/formStyle';
import { conflictMessageOf, customerNameOf, ORDER_MESSAGES } from './orderMessages';
import { RiskWarning } from './ordersStyle';
import { hasOpenOrLostDispute } from './orderStatus';
import type { OrderUpdates } from './useOrderUpdates';

type Fields = Record<keyof ShipmentDraft, string>;

/** The name of the draft with the last carrier, because the next order is often shipped by the same one. */
const LAST_CARRIER = 'last-carrier';
const blankFields = (): Fields => ({
  carrier: drafts.valuesOf<Fields>(LAST_CARRIER).carrier ?? '',
  tracking: '',
  link: '',
  note: '',
});

const shipmentOf = ({ carrier, tracking, link, note }: Fields): ShipmentDraft => ({
  carrier: carrier.trim(),
  tracking: tracking.trim(),
  ...(link.trim() && { link: link.trim() }),
  ...(note.trim() && { note: note.trim() }),
});

const optionalLinkRules = {
  validate: (typed: string) => typed.trim() === '' || safeHref(typed) !== null || PAGE_MESSAGES.linkInvalid,
};

export interface OrderFormProps {
  order: Order;
  updates: OrderUpdates;
  takesFocus: boolean;
  onConflict: (text: string) => void;
}

export function ShipForm({ order, updates, takesFocus, onConflict }: OrderFormProps) {
  const [shipOrder] = useShipOrderMutation();
  const [defaults] = useState(blankFields);
  const { form, busy, error, submit } = useSubmitForm<Fields>({
    defaults,
    draft: `shipment:${order._id}`,
    send: async (fields) => {
      const shipment = shipmentOf(fields);
      const { data: shipped, error: failure } = await updates.sendAndReloadList(() =>
        shipOrder({ order: order._id, shipment }),
      );
      const conflict = conflictMessageOf(failure);
      if (conflict) return void onConflict(conflict);
      if (!shipped) throw failure as unknown;
      drafts.saveValues(LAST_CARRIER, { carrier: shipment.carrier });
      return { leave: () => (notify.success(ORDER_MESSAGES.shipped), updates.openNextOrder(order, shipped)) };
    },
    showsFailure: () => true,
  });
  const { setFocus, getValues } = form;
  useEffect(() => {
    if (takesFocus) setFocus(getValues('carrier') ? 'tracking' : 'carrier');
  }, [takesFocus, setFocus, getValues]);

  const text = { form, dir: 'auto', autoComplete: 'off' } as const;
  return (
    <Form
      label={`Ship ${describeOrder(order)} to ${customerNameOf(order)}`}
      action={hasOpenOrLostDispute(order) ? 'Ship anyway' : 'Ship'}
      busy={busy}
      error={error}
      onSubmit={submit}
    >
      {hasOpenOrLostDispute(order) && <RiskWarning>{ORDER_MESSAGES.shippingRisk}</RiskWarning>}
      <FieldRow>
        <FormField {...text} name="carrier" label="Carrier" rules={textRules('Carrier', MAX_LENGTH.name)} />
        <FormField
          {...text}
          name="tracking"
          label="Tracking number"
          rules={textRules('Tracking number', MAX_LENGTH.name)}
        />
      </FieldRow>
      <FieldRow>
        <FormField
          form={form}
          name="link"
          label="Tracking link (optional)"
          rules={optionalLinkRules}
          inputMode="url"
          autoComplete="off"
          placeholder="https://"
        />
        <FormField
          {...text}
          name="note"
          label="Note to the customer (optional)"
          rules={optionalTextRules(MAX_LENGTH.note)}
        />
      </FieldRow>
    </Form>
  );
}
