import type { FieldValues } from 'react-hook-form';
import { TEXT } from '../contract/limits';
import { linkRules, textRules } from './fieldRules';
import { FormField, type FormFieldProps } from './Field';

type Known<T extends FieldValues> = Omit<FormFieldProps<T>, 'label' | 'rules'>;

export const AddressField = <T extends FieldValues>(props: Known<T>) => (
  <FormField
    label="Address"
    rules={textRules('Address', TEXT.address)}
    dir="auto"
    autoComplete="street-address"
    {...props}
  />
);

export const PhoneField = <T extends FieldValues>(props: Known<T>) => (
  <FormField label="Phone" rules={textRules('Phone', TEXT.phone)} type="tel" autoComplete="tel" {...props} />
);

export const DescriptionField = <T extends FieldValues>(props: Known<T>) => (
  <FormField label="Description" rules={textRules('Description', TEXT.description)} multiline dir="auto" {...props} />
);

/** A link that is shown to others: of this site, or https. */
export const LinkField = <T extends FieldValues>(props: Known<T> & { label: string }) => (
  <FormField rules={linkRules(props.label)} inputMode="url" autoComplete="off" placeholder="https://" {...props} />
);
