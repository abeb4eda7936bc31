import { useId, type ComponentPropsWithRef, type ReactNode, type ComponentType } from 'react';
import { Control, ErrorLine, Hint, Label, TextArea, Warning, FieldWrapper } from './fieldStyle';
import type { FieldValues, Path, RegisterOptions, UseFormReturn } from 'react-hook-form';

export type FormFieldProps<T extends FieldValues, N extends Path<T> = Path<T>> = Omit<
  FieldProps,
  'form' | 'name' | 'error' | 'required' | 'ref'
> & {
  form: UseFormReturn<T>;
  name: N;
  rules: RegisterOptions<T, N>;
  as?: ComponentType<FieldProps>;
};

/** A field of a React Hook Form. It shows its validation error. */
export function FormField<T extends FieldValues, N extends Path<T>>({
  form,
  name,
  rules,
  as: FieldComponent = Field,
  ...fieldProps
}: FormFieldProps<T, N>) {
  const { error } = form.getFieldState(name, form.formState);
  return (
    <FieldComponent
      {...fieldProps}
      required={Boolean(rules.required)}
      error={error?.message}
      {...form.register(name, rules)}
    />
  );
}

/** The attributes that `children` must put on the control that it renders. */
export type ControlProps = { id: string; 'aria-invalid'?: true; 'aria-required'?: true; 'aria-describedby'?: string };

export type FieldProps = Omit<ComponentPropsWithRef<'input'>, 'children' | 'ref'> & {
  label: string;
  hint?: ReactNode;
  error?: string;
  /** Shown like an error, but the form can still be sent. */
  warning?: ReactNode;
  multiline?: boolean;
  rows?: number;
  children?: (control: ControlProps) => ReactNode;
  ref?: React.Ref<HTMLInputElement & HTMLTextAreaElement>;
};

export function Field({ label, hint, error, warning, required, multiline, children, ...input }: FieldProps) {
  const generatedId = useId();
  const id = input.id ?? generatedId;
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`, warning && `${id}-warning`]
    .filter(Boolean)
    .join(' ');
  const control: ControlProps = {
    id,
    'aria-invalid': error ? true : undefined,
    'aria-required': required ? true : undefined,
    'aria-describedby': describedBy || undefined,
  };
  const defaultControl = multiline ? (
    <TextArea rows={4} {...(input as ComponentPropsWithRef<'textarea'>)} {...control} />
  ) : (
    <Control {...input} {...control} />
  );
  return (
    <FieldWrapper>
      <Label htmlFor={id} $required={Boolean(required)}>
        {label}
      </Label>
      {children ? children(control) : defaultControl}
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
    </FieldWrapper>
  );
}
