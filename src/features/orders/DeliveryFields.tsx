import { useWatch, type UseFormReturn } from 'react-hook-form';
import type { Profile } from '../../contract/entities';
import { CheckboxLabel } from '../../ui/CheckboxLabel';
import { AddressField, PhoneField } from '../../ui/presetFields';
import { MutedText } from '../../ui/page';
import type { PurchaseFields } from './QuantityField';

type Props = { form: UseFormReturn<PurchaseFields>; profile: Profile | undefined };

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

export function DeliveryFields(props: Props) {
  const { form } = props;
  return (
    <>
      <AddressField form={form} name="address" />
      <PhoneField form={form} name="phone" />
      <SaveAddress {...props} />
    </>
  );
}
