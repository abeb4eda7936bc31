import type { ComponentType } from 'react';
import type { FieldValues, Path, RegisterOptions, UseFormReturn } from 'react-hook-form';
import { Field, type FieldProps } from './Field';

export type FormFieldProps<T extends FieldValues> = Omit<FieldProps, 'form' | 'name' | 'error' | 'required' | 'ref'> & {
  form: UseFormReturn<T>;
  name: Path<T>;
  rules: RegisterOptions<T, Path<T>>;
  as?: ComponentType<FieldProps>;
};

/** A field of a form: what it holds, its rules, and what they say of it. */
export function FormField<T extends FieldValues>({ form, name, rules, as: Shown = Field, ...look }: FormFieldProps<T>) {
  const { error } = form.getFieldState(name, form.formState);
  return <Shown {...look} required={Boolean(rules.required)} error={error?.message} {...form.register(name, rules)} />;
}
