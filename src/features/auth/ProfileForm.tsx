import { useSaveProfileMutation } from '../../api/apiSlice';
import { useDraftForm } from '../../forms/useSubmitForm';
import type { Profile } from '../../contract/entities';
import { TEXT } from '../../contract/limits';
import { Field } from '../../ui/Field';
import { optionalTextRules } from '../../ui/fieldRules';
import { Form } from '../../ui/Form';
import { FormField } from '../../ui/FormField';
import { Row } from '../../ui/formStyle';
import { AddressField, LinkField, PhoneField } from '../../ui/knownFields';

type Fields = Omit<Profile, 'email'>;

const fieldsOf = ({ address, phone, education, linkedIn }: Profile): Fields => ({
  address,
  phone,
  education,
  linkedIn,
});
const trimmed = (fields: Fields): Fields => ({
  address: fields.address.trim(),
  phone: fields.phone.trim(),
  education: fields.education.trim(),
  linkedIn: fields.linkedIn.trim(),
});

export function ProfileForm({ saved }: { saved: Profile }) {
  const { email } = saved;
  const [save] = useSaveProfileMutation();
  const send = async (fields: Fields) => fieldsOf(await save({ email, ...trimmed(fields) }).unwrap());
  const { form, busy, submit } = useDraftForm<Fields>('profile', fieldsOf(saved), send);
  const { errors } = form.formState;

  return (
    <Form label="My Profile" action="Save" busy={busy} error={errors.root?.message} onSubmit={submit}>
      <Field label="Email" name="email" type="email" value={email} readOnly />
      <AddressField form={form} name="address" />
      <Row>
        <PhoneField form={form} name="phone" />
        <FormField
          form={form}
          name="education"
          label="Education"
          rules={optionalTextRules(TEXT.education)}
          dir="auto"
          hint="Optional"
        />
      </Row>
      <LinkField form={form} name="linkedIn" label="LinkedIn" autoComplete="url" />
    </Form>
  );
}
