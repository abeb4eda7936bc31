import type { FieldValues } from 'react-hook-form';
import { FormField, type FormFieldProps } from '../../ui/Field';
import { PasswordField } from '../../ui/PasswordField';
import { MIN_PASSWORD_LENGTH } from '../../contract/limits';
import { SPEC_MESSAGES } from '../../contract/specMessages';

const THREE_LETTERS = /\p{L}{3}/u;

export const emailRules = {
  required: SPEC_MESSAGES.emailRequired,
  pattern: { value: THREE_LETTERS, message: SPEC_MESSAGES.emailInvalid },
};
export const passwordRules = {
  required: SPEC_MESSAGES.passwordRequired,
  minLength: { value: MIN_PASSWORD_LENGTH, message: SPEC_MESSAGES.passwordShort },
};
export const nameRules = {
  required: SPEC_MESSAGES.nameRequired,
  validate: (name: string) => name.trim() !== '' || SPEC_MESSAGES.nameRequired,
};

type CredentialProps<T extends FieldValues> = Pick<FormFieldProps<T>, 'form' | 'name' | 'readOnly' | 'autoComplete'>;
type PasswordProps<T extends FieldValues> = CredentialProps<T> &
  Partial<Pick<FormFieldProps<T>, 'label' | 'rules' | 'hint'>>;

export const LoginEmail = <T extends FieldValues>(props: CredentialProps<T>) => (
  <FormField label="Email" rules={emailRules} type="email" autoComplete="username" {...props} />
);

export const LoginPassword = <T extends FieldValues>(props: PasswordProps<T>) => (
  <FormField as={PasswordField} label="Password" rules={passwordRules} {...props} />
);
