import {
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type FormEvent,
  type ReactNode,
} from 'react';
import { useForm, type FieldValues, type Path, type UseFormReturn } from 'react-hook-form';
import { failureOf, UserError } from '../contract/problem';
import { shownCodeOf, toastTextOf } from '../contract/toastText';
import { notify } from '../feedback/notify';
import { notifyFailure } from '../feedback/notifyFailure';
import { withCopyDetails } from '../ui/CopyDetails';
import { drafts, type SentRequest } from './drafts';

/** After a success, `reset` gives the form new values, or `leave` removes it. The form stays busy until then. */
type AfterSuccess<T> = { reset?: T; leave?: () => void };

export interface SubmitFormOptions<T, B = undefined> {
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
   * Makes the body of a call with an idempotency key. If the page is closed before the answer arrives, the form sends
   * the same request again when it is opened next.
   */
  bodyOf?: (fields: T) => B;
  /** Sends the fields once they are valid, or the request that `bodyOf` is for. */
  send(fields: T, request: SentRequest<B>): Promise<AfterSuccess<T> | undefined>;
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
function useFormWithDraft<T extends FieldValues>({
  defaults,
  draft,
  prefill,
}: Pick<SubmitFormOptions<T>, 'defaults' | 'draft' | 'prefill'>) {
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
    // Without a name, the form has only got new defaults, for example because the order was placed.
    const callback = ({ name, values }: { name?: string; values: T }) => {
      if (name !== undefined) drafts.saveValues(draft, editedValues(values));
    };
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
export function useSubmitForm<T extends FieldValues, B = undefined>(options: SubmitFormOptions<T, B>) {
  const { defaults, draft, success, bodyOf, send, fieldOfMessage, onFailure } = options;
  const form = useFormWithDraft(options);
  const isMounted = useIsMounted();
  const isWorking = useRef(false);
  const [unanswered] = useState(() => (bodyOf ? drafts.findOpen<B>(draft!) : undefined));
  const [busy, setBusy] = useState(false);
  const [isResuming, setResuming] = useState(unanswered !== undefined);
  const [error, setError] = useState<ReactNode>('');

  function setWorking(working: boolean) {
    isWorking.current = working;
    setBusy(working);
    if (!working) setResuming(false);
  }

  function closeRequest(failure: unknown, key: string) {
    const { kind, problem } = failureOf(failure);
    if (problem?.code === 'idempotency_key_reused') drafts.forgetKey(draft!, key);
    // After the next login, the form asks again.
    else if (kind !== 'signedOut') drafts.close(draft!, key);
  }

  function showFailure(failure: unknown, sent: T) {
    const { problem } = failureOf(failure);
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
    if (draft) drafts.discard(draft);
    for (const field of Object.keys(now) as Path<T>[])
      if (now[field] !== sent[field]) form.setValue(field, now[field], { shouldDirty: true });
  }

  function finish({ reset: next, leave }: AfterSuccess<T>, sent: T, key?: string) {
    if (success) notify.success(success);
    if (next) reset(next, sent);
    else if (draft && (leave || key)) drafts.discard(draft, key);
    if (leave) return leave();
    setWorking(false);
  }

  /**
   * Runs `work` unless this form is waiting for a response. Also for buttons beside the form, such as Google
   * sign-in.
   */
  async function runUnlessBusy(work: () => Promise<AfterSuccess<T> | undefined>, key?: string) {
    if (isWorking.current) return;
    setWorking(true);
    setError('');
    const sent = form.getValues();
    try {
      finish((await work()) ?? {}, sent, key);
    } catch (failure) {
      if (key) closeRequest(failure, key);
      setWorking(false);
      reportProgramError(failure);
      showFailure(failure, sent);
    }
  }

  function sendRequest(fields: T, request: SentRequest<B> | undefined) {
    return runUnlessBusy(() => send(fields, request!), request?.key);
  }
  const resume = useEffectEvent(() => {
    if (unanswered) void sendRequest(form.getValues(), unanswered);
  });
  useEffect(() => {
    const timer = setTimeout(() => resume());
    return () => clearTimeout(timer);
  }, []);

  const submit = (event?: FormEvent) =>
    form.handleSubmit(
      (fields) => {
        if (isWorking.current || isResuming) return undefined;
        return sendRequest(fields, bodyOf && drafts.open(draft!, bodyOf(fields)));
      },
      () => focusFirstError(form, defaults),
    )(event);

  return {
    form,
    busy,
    /** Whether the form is finding out what became of a request of an earlier visit. */
    isResuming,
    error: error || (form.formState.errors.root?.message ?? ''),
    submit,
    runUnlessBusy,
  };
}
