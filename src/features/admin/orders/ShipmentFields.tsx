import type { UseFormReturn } from 'react-hook-form';
import type { ShipmentDraft } from '../../../contract/entities';
import { MAX_LENGTH } from '../../../contract/limits';
import { safeHref } from '../../../contract/links';
import { PAGE_MESSAGES } from '../../../contract/pageMessages';
import { FormField } from '../../../ui/Field';
import { optionalTextRules } from '../../../ui/fieldRules';
import { FieldRow } from '../../../ui/formStyle';
import { ShortTextField } from '../../../ui/presetFields';

export type ShipmentFieldValues = Record<Exclude<keyof ShipmentDraft, 'despiteDispute'>, string>;

export const shipmentOf = ({ carrier, tracking, link, note }: ShipmentFieldValues): ShipmentDraft => ({
  carrier: carrier.trim(),
  tracking: tracking.trim(),
  ...(link.trim() && { link: link.trim() }),
  ...(note.trim() && { note: note.trim() }),
});

const optionalLinkRules = {
  validate: (typed: string) => typed.trim() === '' || safeHref(typed) !== null || PAGE_MESSAGES.linkInvalid,
};

export function ShipmentFields({ form }: { form: UseFormReturn<ShipmentFieldValues> }) {
  return (
    <>
      <FieldRow>
        <ShortTextField form={form} name="carrier" label="Carrier" />
        <ShortTextField form={form} name="tracking" label="Tracking number" />
      </FieldRow>
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
        form={form}
        name="note"
        label="Note to the customer (optional)"
        rules={optionalTextRules(MAX_LENGTH.note)}
        dir="auto"
        autoComplete="off"
      />
    </>
  );
}
