import type { FieldValues } from 'react-hook-form';
import { MAX_LENGTH } from '../contract/limits';
import { linkRules, phoneRules, textRules } from './fieldRules';
import { FormField, type FormFieldProps } from './Field';

type PresetFieldProps<T extends FieldValues> = Omit<FormFieldProps<T>, 'label' | 'rules'>;

type ShortTextProps<T extends FieldValues> = PresetFieldProps<T> & { label: string; maxCharacters?: number };

/** A line of text that browsers do not fill in. */
export const ShortTextField = <T extends FieldValues>({
  maxCharacters = MAX_LENGTH.name,
  ...props
}: ShortTextProps<T>) => (
  <FormField rules={textRules(props.label, maxCharacters)} dir="auto" autoComplete="off" {...props} />
);

export const AddressField = <T extends FieldValues>(props: PresetFieldProps<T>) => (
  <FormField
    label="Address"
    hint="Street, postal code and city, country: one line each"
    rules={textRules('Address', MAX_LENGTH.address)}
    multiline
    rows={3}
    dir="auto"
    autoComplete="street-address"
    {...props}
  />
);

export const PhoneField = <T extends FieldValues>(props: PresetFieldProps<T>) => (
  <FormField label="Phone" rules={phoneRules} type="tel" autoComplete="tel" {...props} />
);

export const DescriptionField = <T extends FieldValues>(props: PresetFieldProps<T>) => (
  <FormField
    label="Description"
    rules={textRules('Description', MAX_LENGTH.description)}
    multiline
    dir="auto"
    {...props}
  />
);

/** Allows only paths of this site and `https:` links. */
export const LinkField = <T extends FieldValues>(props: PresetFieldProps<T> & { label: string }) => (
  <FormField rules={linkRules(props.label)} inputMode="url" autoComplete="off" placeholder="https://" {...props} />
);
