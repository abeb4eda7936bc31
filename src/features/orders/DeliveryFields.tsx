import { useWatch, type UseFormReturn } from 'react-hook-form';
import type { Profile } from '../../contract/entities';
import { MAX_LENGTH } from '../../contract/limits';
import { CheckboxLabel } from '../../ui/CheckboxLabel';
import { Field, FormField } from '../../ui/Field';
import { optionalTextRules } from '../../ui/fieldRules';
import { Select } from '../../ui/fieldStyle';
import { FieldRow } from '../../ui/formStyle';
import { AddressField, PhoneField } from '../../ui/presetFields';
import { MutedText } from '../../ui/page';
import { addressInOneLine } from './addressInOneLine';
import type { DeliveryDetails } from './useKnownAddress';
import type { PurchaseFields } from './usePurchaseForm';

type Form = UseFormReturn<PurchaseFields>;
type Props = { form: Form; profile: Profile | undefined };

const ANOTHER = 'another';

/** Lets the customer choose among the address in the profile and those of the last orders. */
function AddressChoice({ form, choices }: { form: Form; choices: DeliveryDetails[] }) {
  const [address, phone] = useWatch({ control: form.control, name: ['address', 'phone'] });
  if (choices.length < 2) return null;
  const chosen = choices.findIndex((choice) => choice.address === address && choice.phone === phone);
  function choose(index: string) {
    const choice = choices[Number(index)] ?? { address: '', phone };
    for (const name of ['address', 'phone'] as const)
      form.setValue(name, choice[name], { shouldDirty: true, shouldValidate: choice.address !== '' });
    if (choice.address === '') form.setFocus('address');
  }
  return (
    <Field label="Deliver to">
      {(control) => (
        <Select
          {...control}
          value={chosen === -1 ? ANOTHER : String(chosen)}
          onChange={(event) => choose(event.target.value)}
        >
          {choices.map((choice, i) => (
            <option key={choice.address} value={i}>
              {addressInOneLine(choice.address)}
            </option>
          ))}
          <option value={ANOTHER}>Another address</option>
        </Select>
      )}
    </Field>
  );
}

/**
 * Offers to save the address only if the profile has a LinkedIn link, because a profile can't be saved without one
 * (specification A.5).
 */
function SaveAddress({ form, profile }: Props) {
  const [address, phone] = useWatch({ control: form.control, name: ['address', 'phone'] });
  if (!profile || (address.trim() === profile.address && phone.trim() === profile.phone)) return null;
  if (!profile.linkedIn) return <MutedText>We&apos;ll fill these in on your next order.</MutedText>;
  return (
    <CheckboxLabel>
      <input type="checkbox" {...form.register('savesAddress')} />
      Save this address and phone to My Profile
    </CheckboxLabel>
  );
}

export function DeliveryFields({ choices, ...props }: Props & { choices: DeliveryDetails[] }) {
  const { form } = props;
  return (
    <>
      <AddressChoice form={form} choices={choices} />
      <AddressField form={form} name="address" rows={2} />
      {/* In one row, because Place order must be in view at 1440 x 900. */}
      <FieldRow>
        <PhoneField form={form} name="phone" />
        <FormField
          form={form}
          name="reference"
          label="Your reference (optional)"
          rules={optionalTextRules(MAX_LENGTH.reference)}
          autoComplete="off"
        />
      </FieldRow>
      <SaveAddress {...props} />
    </>
  );
}
