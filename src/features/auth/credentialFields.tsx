import type { FieldValues } from 'react-hook-form';
import { FormField, type FormFieldProps } from '../../ui/FormField';
import { PasswordField } from '../../ui/PasswordField';
import { emailRules, passwordRules } from './rules';

type Credential<T extends FieldValues> = Pick<FormFieldProps<T>, 'form' | 'name' | 'readOnly' | 'autoComplete'>;

export const LoginEmail = <T extends FieldValues>(props: Credential<T>) => (
  <FormField label="Email" rules={emailRules} type="email" autoComplete="username" {...props} />
);

export const LoginPassword = <T extends FieldValues>(props: Credential<T>) => (
  <FormField as={PasswordField} label="Password" rules={passwordRules} {...props} />
);
