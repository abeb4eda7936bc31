import type { FieldValues } from 'react-hook-form';
import { FormField, type FormFieldProps } from '../../ui/Field';
import { PasswordField } from '../../ui/PasswordField';
import { EMAIL_PATTERN } from '../../contract/emailPattern';
import { COMMON_PASSWORD_MESSAGE } from '../../contract/identityMessages';
import { MIN_PASSWORD_LENGTH } from '../../contract/limits';
import { SPEC_MESSAGES } from '../../contract/specMessages';

const THREE_LETTERS = /\p{L}{3}/u;

export const emailRules = {
  required: SPEC_MESSAGES.emailRequired,
  pattern: { value: THREE_LETTERS, message: SPEC_MESSAGES.emailInvalid },
  validate: (email: string) => EMAIL_PATTERN.test(email.trim()) || SPEC_MESSAGES.emailInvalid,
};
export const passwordRules = {
  required: SPEC_MESSAGES.passwordRequired,
  minLength: { value: MIN_PASSWORD_LENGTH, message: SPEC_MESSAGES.passwordShort },
};
export const nameRules = {
  required: SPEC_MESSAGES.nameRequired,
  validate: (name: string) => name.trim() !== '' || SPEC_MESSAGES.nameRequired,
};

/** The fields of the identity provider's messages. All other messages are shown below the form. */
export const FIELD_OF_MESSAGE: Record<string, 'email' | 'password'> = {
  [SPEC_MESSAGES.emailRequired]: 'email',
  [SPEC_MESSAGES.emailInvalid]: 'email',
  [SPEC_MESSAGES.passwordShort]: 'password',
  [COMMON_PASSWORD_MESSAGE]: 'password',
};

type CredentialProps<T extends FieldValues> = Pick<FormFieldProps<T>, 'form' | 'name' | 'readOnly' | 'autoComplete'>;
type PasswordProps<T extends FieldValues> = CredentialProps<T> &
  Partial<Pick<FormFieldProps<T>, 'label' | 'rules' | 'hint'>>;

/** The specification's message asks for more than 6, but 6 are enough. */
export const NEW_PASSWORD_HINT = `At least ${MIN_PASSWORD_LENGTH} characters`;

export const LoginEmail = <T extends FieldValues>(props: CredentialProps<T>) => (
  <FormField label="Email" rules={emailRules} type="email" autoComplete="username" {...props} />
);

export const LoginPassword = <T extends FieldValues>(props: PasswordProps<T>) => (
  <FormField as={PasswordField} label="Password" rules={passwordRules} {...props} />
);
