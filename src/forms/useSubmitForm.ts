import { useCallback, useEffect, useLayoutEffect, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { useForm, type FieldValues, type Path, type UseFormReturn } from 'react-hook-form';
import { failureOf, UserError } from '../contract/problem';
import { shownCodeOf, toastTextOf } from '../contract/toastText';
import { notify } from '../feedback/notify';
import { notifyFailure } from '../feedback/notifyFailure';
import { withCopyDetails } from '../ui/CopyDetails';
import { drafts } from './drafts';

/** After a success, `reset` gives the form new values, or `leave` removes it. The form stays busy until then. */
type AfterSuccess<T> = { reset?: T; leave?: () => void };

export interface SubmitFormOptions<T> {
  /**
   * The initial values, in the order of the fields on the page. If they change later, fields that the user has edited
   * keep their values.
   */
  defaults: T;
  /** The name of the draft with the input that was not sent. */
  draft?: string;
  /** Initial values that take precedence over the defaults and over the draft. */
  prefill?: Partial<T>;
  /** The text of the toast that is shown after a success. */
  success?: string;
  /**
   * Sends the fields once they are valid.
   * @param keyFor returns the idempotency key for a body
   */
  send(fields: T, keyFor: (body: unknown) => string): Promise<AfterSuccess<T> | undefined>;
  /** The fields of errors that have only a message. */
  fieldOfMessage?: Record<string, Path<T>>;
  /**
   * Called after a failure that no field shows.
   * @returns the text to show below the form, '' if the page shows the failure elsewhere, or undefined for a toast
   */
  onFailure?: (error: unknown, sent: T) => string | undefined;
}

/** A program's error is not for customers, but the browser reports it to developers. */
function reportProgramError(failure: unknown): void {
  if (!(failure instanceof Error) || failure instanceof UserError) return;
  setTimeout(() => {
    throw failure;
  });
}

/**
 * Shows the server's errors at their fields. If the form does not have the field, the error is shown below the form.
 */
function showFieldErrors<T extends FieldValues>(
  form: UseFormReturn<T>,
  errors: { field: string; message: string }[],
): void {
  for (const { field, message } of errors) {
    if (field in form.getValues()) form.setError(field as Path<T>, { message });
    else form.setError('root', { message: `${field}: ${message}` });
  }
}

/** Marks a draft's values as edited by the user, so that later defaults do not replace them. */
function useFormWithDraft<T extends FieldValues>({ defaults, draft, prefill }: SubmitFormOptions<T>) {
  const [typed] = useState(() => ({ ...(draft && drafts.valuesOf<T>(draft)), ...prefill }) as Partial<T>);
  const form = useForm<T>({ values: defaults, resetOptions: { keepDirtyValues: true }, shouldFocusError: false });
  const { setValue, getFieldState, formState, subscribe } = form;
  void formState.dirtyFields;
  useLayoutEffect(() => {
    for (const field of Object.keys(typed) as Path<T>[]) setValue(field, typed[field]!, { shouldDirty: true });
  }, [typed, setValue]);
  const editedValues = useCallback(
    (values: T) =>
      Object.fromEntries(Object.entries(values).filter(([field]) => getFieldState(field as Path<T>).isDirty)),
    [getFieldState],
  );
  useEffect(() => {
    if (draft === undefined) return undefined;
    const callback = ({ values }: { values: T }) => drafts.saveValues(draft, editedValues(values));
    return subscribe({ formState: { values: true }, callback });
  }, [draft, subscribe, editedValues]);
  return form;
}

function focusFirstError<T extends FieldValues>(form: UseFormReturn<T>, defaults: T): void {
  const first = Object.keys(defaults).find((field) => form.getFieldState(field as Path<T>).invalid);
  if (first) form.setFocus(first as Path<T>);
}

function useIsMounted() {
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => void (isMounted.current = false);
  }, []);
  return isMounted;
}

/** For forms: validates, stores drafts, sends one request at a time, and shows errors and toasts. */
export function useSubmitForm<T extends FieldValues>(options: SubmitFormOptions<T>) {
  const { defaults, draft, success, send, fieldOfMessage, onFailure } = options;
  const form = useFormWithDraft(options);
  const isMounted = useIsMounted();
  const isWorking = useRef(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ReactNode>('');

  function setWorking(working: boolean) {
    isWorking.current = working;
    setBusy(working);
  }

  function showFailure(failure: unknown, sent: T) {
    const { problem } = failureOf(failure);
    if (draft && problem?.code === 'idempotency_key_reused') drafts.forgetLastKey(draft);
    const message = toastTextOf(failure);
    const field = fieldOfMessage?.[message];
    const fieldErrors = field ? [{ field, message }] : (problem?.errors ?? []);
    showFieldErrors(form, fieldErrors);
    if (fieldErrors.length > 0) return focusFirstError(form, defaults);
    const text = isMounted.current ? onFailure?.(failure, sent) : undefined;
    if (text === undefined) notifyFailure(failure);
    else setError(withCopyDetails(text, shownCodeOf(failure)));
  }

  /** Shows the new values, but keeps what the user has typed during the request. That becomes a new draft. */
  function reset(next: T, sent: T) {
    const now = form.getValues();
    form.reset(next, { keepDirtyValues: false });
    if (draft) drafts.remove(draft);
    for (const field of Object.keys(now) as Path<T>[])
      if (now[field] !== sent[field]) form.setValue(field, now[field], { shouldDirty: true });
  }

  function finish({ reset: next, leave }: AfterSuccess<T>, sent: T) {
    if (success) notify.success(success);
    if (next) reset(next, sent);
    else if (draft) (leave ? drafts.remove : drafts.forgetLastKey)(draft);
    if (leave) return leave();
    setWorking(false);
  }

  /**
   * Runs `work` unless this form is waiting for a response. Also for buttons beside the form, such as Google
   * sign-in.
   */
  async function runUnlessBusy(work: () => Promise<AfterSuccess<T> | undefined>) {
    if (isWorking.current) return;
    setWorking(true);
    setError('');
    const sent = form.getValues();
    try {
      finish((await work()) ?? {}, sent);
    } catch (failure) {
      setWorking(false);
      reportProgramError(failure);
      showFailure(failure, sent);
    }
  }

  const keyFor = (body: unknown) => drafts.keyFor(draft!, body);
  const submit = (event?: FormEvent) =>
    form.handleSubmit(
      (fields) => runUnlessBusy(() => send(fields, keyFor)),
      () => focusFirstError(form, defaults),
    )(event);

  return { form, busy, error: error || (form.formState.errors.root?.message ?? ''), submit, runUnlessBusy };
}
