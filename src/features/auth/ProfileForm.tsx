import { useSaveProfileMutation } from '../../api/apiSlice';
import { useSubmitForm } from '../../forms/useSubmitForm';
import type { Profile } from '../../contract/entities';
import { MAX_LENGTH } from '../../contract/limits';
import { failureOf, UserError } from '../../contract/problem';
import { SPEC_MESSAGES } from '../../contract/specMessages';
import { useSession } from '../../session/hooks';
import { Field } from '../../ui/Field';
import { optionalTextRules } from '../../ui/fieldRules';
import { Form } from '../../ui/Form';
import { FormField } from '../../ui/Field';
import { FieldRow } from '../../ui/formStyle';
import { AddressField, LinkField, PhoneField } from '../../ui/presetFields';
import { EmailVerification } from './EmailVerification';

type Fields = Omit<Profile, 'email'>;

const fieldsOf = ({ address, phone, education, linkedIn }: Profile): Fields => ({
  address,
  phone,
  education,
  linkedIn,
});
const trimFields = (fields: Fields): Fields => ({
  address: fields.address.trim(),
  phone: fields.phone.trim(),
  education: fields.education.trim(),
  linkedIn: fields.linkedIn.trim(),
});

/** Shows the sentence that the specification requires if the session ended while the profile was being saved. */
function explainSignedOut(error: unknown): never {
  throw failureOf(error).kind === 'signedOut' ? new UserError(SPEC_MESSAGES.noUser) : error;
}

export function ProfileForm({ saved }: { saved: Profile }) {
  const { email } = saved;
  const { isAdmin } = useSession();
  const [save] = useSaveProfileMutation();
  const { form, busy, error, submit } = useSubmitForm<Fields>({
    defaults: fieldsOf(saved),
    draft: 'profile',
    success: SPEC_MESSAGES.profileSaved,
    send: async (fields) => {
      const profile = await save({ email, ...trimFields(fields) })
        .unwrap()
        .catch(explainSignedOut);
      return { reset: fieldsOf(profile) };
    },
  });

  return (
    <Form label="My Profile" action="Save" busy={busy} error={error} onSubmit={submit}>
      <Field label="Email" name="email" type="email" value={email} readOnly />
      <EmailVerification />
      <AddressField form={form} name="address" />
      <FieldRow>
        <PhoneField form={form} name="phone" />
        <FormField
          form={form}
          name="education"
          label="Education (optional)"
          rules={optionalTextRules(MAX_LENGTH.education)}
          dir="auto"
        />
      </FieldRow>
      <LinkField
        form={form}
        name="linkedIn"
        label="LinkedIn"
        autoComplete="url"
        hint={isAdmin ? undefined : "So that we know which company you buy for. A company's page is fine too."}
      />
    </Form>
  );
}
