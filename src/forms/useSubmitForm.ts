import { useCallback, useLayoutEffect, useRef, useState, type FormEvent } from 'react';
import { useForm, type DefaultValues, type FieldValues, type Path, type UseFormReturn } from 'react-hook-form';
import { fieldErrorsOf } from '../contract/problem';
import { forgetDraft, useDraft, useKeepDraft } from './useDraft';

/** What the server found, at its fields; what has no field here stands under the form. */
export function showFieldErrors<T extends FieldValues>(form: UseFormReturn<T>, error: unknown): void {
  for (const { field, message } of fieldErrorsOf(error)) {
    if (field in form.getValues()) form.setError(field as Path<T>, { message });
    else form.setError('root', { message: `${field}: ${message}` });
  }
}

/** Newer values from outside show where nobody typed; a draft counts as typed. */
function useFormWithDraft<T extends FieldValues>(name: string, start: T): UseFormReturn<T> {
  const typed = useDraft<T>(name, start as DefaultValues<T>);
  const [fields] = useState(() => Object.keys(start) as Path<T>[]);
  const form = useForm<T>({ values: start, resetOptions: { keepDirtyValues: true }, shouldFocusError: false });
  const { setValue, getFieldState, formState } = form;
  void formState.dirtyFields;
  useLayoutEffect(() => {
    for (const field of fields) setValue(field, typed[field], { shouldDirty: true });
  }, [fields, typed, setValue]);
  const typedOnes = useCallback(
    (values: T) =>
      Object.fromEntries(
        Object.entries(values).filter(([field]) => getFieldState(field as Path<T>).isDirty),
      ) as Partial<T>,
    [getFieldState],
  );
  useKeepDraft(name, form, typedOnes);
  return form;
}

/** The first as they stand on the page, which is the order of `start`. */
function focusFirstError<T extends FieldValues>(form: UseFormReturn<T>, start: T): void {
  const first = Object.keys(start).find((field) => form.getFieldState(field as Path<T>).invalid);
  if (first) form.setFocus(first as Path<T>);
}

/** A form that keeps what is typed until `send` has succeeded, which answers with what is to stand in it then. */
export function useDraftForm<T extends FieldValues>(name: string, start: T, send: (fields: T) => Promise<T>) {
  const form = useFormWithDraft(name, start);
  const sending = useRef(false);

  async function attempt(event: FormEvent): Promise<T | undefined> {
    let next: T | undefined;
    const work = async (fields: T) => {
      next = await send(fields).catch((error: unknown) => {
        showFieldErrors(form, error);
        return undefined;
      });
    };
    await form.handleSubmit(work)(event);
    if (!next) focusFirstError(form, start);
    return next;
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (sending.current) return;
    sending.current = true;
    const sent = form.getValues();
    const next = await attempt(event).finally(() => (sending.current = false));
    if (!next) return;
    const now = form.getValues();
    form.reset(next, { keepDirtyValues: false });
    forgetDraft(name);
    // What was typed while it was on its way is a draft of its own.
    for (const field of Object.keys(now) as Path<T>[])
      if (now[field] !== sent[field]) form.setValue(field, now[field], { shouldDirty: true });
  }

  return { form, busy: form.formState.isSubmitting, submit };
}
