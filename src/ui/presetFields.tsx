import { useWatch, type FieldValues } from 'react-hook-form';
import { isAddressComplete } from '../contract/delivery';
import { MAX_LENGTH } from '../contract/limits';
import { linkRules, phoneRules, textRules } from './fieldRules';
import { FormField, type FormFieldProps } from './Field';
import { WaitingText } from './page';

type PresetFieldProps<T extends FieldValues> = Omit<FormFieldProps<T>, 'label' | 'rules'>;

type ShortTextProps<T extends FieldValues> = PresetFieldProps<T> & { label: string; maxCharacters?: number };

/** A line of text that browsers do not fill in. */
export const ShortTextField = <T extends FieldValues>({
  maxCharacters = MAX_LENGTH.name,
  ...props
}: ShortTextProps<T>) => (
  <FormField rules={textRules(props.label, maxCharacters)} dir="auto" autoComplete="off" {...props} />
);

const ADDRESS_HINT = 'Company, street, city with state and postal code, country: one line each';
const ADDRESS_WARNING = 'Is a line missing? Street, city with postal code, country';

/**
 * The warning replaces the hint. Below it, the warning would move the control that the customer is just pressing, which
 * makes the customer leave the field.
 */
export function AddressField<T extends FieldValues>(props: PresetFieldProps<T>) {
  const { form, name } = props;
  const address: string = useWatch({ control: form.control, name });
  const { isTouched } = form.getFieldState(name, form.formState);
  const isDoubtful = isTouched && address.trim() !== '' && !isAddressComplete(address);
  return (
    <FormField
      label="Address"
      hint={isDoubtful ? <WaitingText role="status">{ADDRESS_WARNING}</WaitingText> : ADDRESS_HINT}
      rules={textRules('Address', MAX_LENGTH.address)}
      multiline
      rows={3}
      dir="auto"
      autoComplete="street-address"
      {...props}
    />
  );
}

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
