import { useId, type ComponentPropsWithRef, type ReactNode, type ComponentType } from 'react';
import { Control, ErrorLine, Hint, Label, TextArea, Warning, Wrap } from './fieldStyle';
import type { FieldValues, Path, RegisterOptions, UseFormReturn } from 'react-hook-form';

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

/** What a control of one's own must carry, given to `children`. */
export type ControlProps = { id: string; 'aria-invalid'?: true; 'aria-required'?: true; 'aria-describedby'?: string };

export type FieldProps = Omit<ComponentPropsWithRef<'input'>, 'children' | 'ref'> & {
  label: string;
  hint?: ReactNode;
  error?: string;
  /** Warns and does not block, unlike `error`. */
  warning?: ReactNode;
  multiline?: boolean;
  rows?: number;
  children?: (control: ControlProps) => ReactNode;
  ref?: React.Ref<HTMLInputElement & HTMLTextAreaElement>;
};

export function Field({ label, hint, error, warning, required, multiline, children, ...input }: FieldProps) {
  const made = useId();
  const id = input.id ?? made;
  const notes = [hint && `${id}-hint`, error && `${id}-error`, warning && `${id}-warning`].filter(Boolean).join(' ');
  const control: ControlProps = {
    id,
    'aria-invalid': error ? true : undefined,
    'aria-required': required ? true : undefined,
    'aria-describedby': notes || undefined,
  };
  const shown = multiline ? (
    <TextArea rows={4} {...(input as ComponentPropsWithRef<'textarea'>)} {...control} />
  ) : (
    <Control {...input} {...control} />
  );
  return (
    <Wrap>
      <Label htmlFor={id} $required={Boolean(required)}>
        {label}
      </Label>
      {children ? children(control) : shown}
      {hint && <Hint id={`${id}-hint`}>{hint}</Hint>}
      {error && (
        <ErrorLine id={`${id}-error`} role="alert">
          {error}
        </ErrorLine>
      )}
      {warning && (
        <Warning id={`${id}-warning`} role="status">
          {warning}
        </Warning>
      )}
    </Wrap>
  );
}
