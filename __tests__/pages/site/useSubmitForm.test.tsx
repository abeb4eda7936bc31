import { render, screen, waitFor } from '@testing-library/react';
import { UserError } from '../../../src/contract/problem';
import { SPEC_MESSAGES } from '../../../src/contract/specMessages';
import { toastTextOf } from '../../../src/contract/toastText';
import { takePendingToasts } from '../../../src/feedback/notify';
import { drafts } from '../../../src/forms/drafts';
import { useSubmitForm, type SubmitFormOptions } from '../../../src/forms/useSubmitForm';
import { user } from '../../support/page';

interface Fields {
  name: string;
  note: string;
}
type Options = Partial<SubmitFormOptions<Fields, Fields>>;

const UNEXPECTED = 'Something went wrong. Please try again.';
type Send = SubmitFormOptions<Fields, Fields>['send'];
const send = jest.fn<ReturnType<Send>, Parameters<Send>>();

function TestForm(options: Options) {
  const { form, busy, error, submit, isResuming } = useSubmitForm<Fields, Fields>({
    defaults: { name: '', note: '' },
    send,
    ...options,
  });
  const { errors } = form.formState;
  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <input aria-label="Name" {...form.register('name', { required: 'Name is required' })} />
      <input aria-label="Note" {...form.register('note')} />
      <button aria-busy={busy}>Save</button>
      <p>{[errors.name?.message, errors.note?.message].filter(Boolean).join(' ')}</p>
      <p role="alert">{error}</p>
      {isResuming && <p>Asking…</p>}
    </form>
  );
}

const button = () => screen.getByRole('button', { name: 'Save' });
const name = () => screen.getByLabelText<HTMLInputElement>('Name');
const note = () => screen.getByLabelText<HTMLInputElement>('Note');
const readToasts = () => takePendingToasts().map(({ kind, text }) => `${kind}: ${text}`);
const waitUntilIdle = () => waitFor(() => expect(button()).toHaveAttribute('aria-busy', 'false'));

async function submit(text = 'Ann') {
  if (text) await user.type(name(), text);
  await user.click(button());
}

beforeEach(() => {
  localStorage.clear();
  send.mockReset();
  takePendingToasts();
});

const problem = (code: string, errors?: object[]) => ({
  status: 400,
  data: { code, status: 400, detail: 'The shop says no.', errors },
});
const inPlace: Options = { onFailure: toastTextOf };
const elsewhere: Options = { onFailure: () => '' };
const abortError = { name: 'AbortError', message: 'The call was canceled.' };

test.each<[string, unknown, Options, toasts: string[], alert: string]>([
  ['an unknown failure', { status: 418 }, {}, [`error: ${UNEXPECTED}`], ''],
  ["the server's refusal", problem('no'), {}, ['error: The shop says no.'], ''],
  ['a failure that the page shows elsewhere', problem('no'), elsewhere, [], ''],
  ['a failure that the form shows', problem('no'), inPlace, [], 'The shop says no.'],
  ['an error for users', new UserError(SPEC_MESSAGES.noUser), {}, ['error: No user is logged in'], ''],
  ['the end of the session', { status: 401 }, {}, [], ''],
  ['a canceled call', abortError, {}, [], ''],
  [
    'an error at a field that the form lacks',
    problem('no', [{ field: 'price', message: 'is old.' }]),
    {},
    [],
    'price: is old.',
  ],
])('after %s, a form shows the failure once', async (_failure, failure, options, toasts, alert) => {
  send.mockRejectedValue(failure);
  render(<TestForm {...options} />);
  await submit();
  await waitFor(() => expect(send).toHaveBeenCalledTimes(1));
  await waitUntilIdle();
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(alert));
  expect([readToasts(), screen.getByRole('alert').textContent]).toEqual([toasts, alert]);
});

test("a program's error is reported to developers, and the customer reads only that something went wrong", async () => {
  const reported: unknown[] = [];
  const collect = (event: ErrorEvent) => (event.preventDefault(), reported.push(event.error));
  window.addEventListener('error', collect);
  const bug = new TypeError('x is undefined');
  send.mockRejectedValue(bug);
  render(<TestForm {...inPlace} />);
  await submit();
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(UNEXPECTED));
  await waitFor(() => expect(reported).toEqual([bug]));
  window.removeEventListener('error', collect);
});

test("the server's errors are shown at their fields, and the first of them gets the focus", async () => {
  const errors = [
    { field: 'note', message: 'Too rude.' },
    { field: 'name', message: 'Too short.' },
  ];
  send.mockRejectedValue(problem('invalid', errors));
  render(<TestForm {...inPlace} />);
  await submit();
  expect(await screen.findByText('Too short. Too rude.')).toBeVisible();
  await waitFor(() => expect(name()).toHaveFocus());
  expect([screen.getByRole('alert').textContent, readToasts()]).toEqual(['', []]);
});

test('a failure that arrives after the page was left is shown as a toast', async () => {
  let fail = (_error: unknown) => {};
  send.mockReturnValue(new Promise((_resolve, reject) => (fail = reject)));
  const { unmount } = render(<TestForm {...inPlace} />);
  await submit();
  unmount();
  fail(problem('no'));
  await waitFor(() => expect(readToasts()).toEqual(['error: The shop says no.']));
});

test('a form sends one request at a time, and removes the last error when it sends the next', async () => {
  send.mockRejectedValueOnce(problem('no'));
  render(<TestForm {...inPlace} />);
  await submit();
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('The shop says no.'));
  let succeed = () => {};
  send.mockReturnValue(new Promise((resolve) => (succeed = () => resolve(undefined))));
  await submit('');
  await waitFor(() => expect(button()).toHaveAttribute('aria-busy', 'true'));
  expect(screen.getByRole('alert')).toHaveTextContent('');
  await submit('');
  expect(send).toHaveBeenCalledTimes(2);
  succeed();
  await waitUntilIdle();
  expect(readToasts()).toEqual([]);
});

describe('After a success, a form', () => {
  test('stays busy if it leaves the page, and deletes its draft', async () => {
    const leave = jest.fn();
    send.mockResolvedValue({ leave });
    render(<TestForm draft="a form" />);
    await submit();
    await waitFor(() => expect(leave).toHaveBeenCalledTimes(1));
    expect(localStorage.getItem('draft:a form')).toBeNull();
    expect(button()).toHaveAttribute('aria-busy', 'true');
  });

  test('keeps its values, but no draft of them, and sends them again with a new idempotency key', async () => {
    const keys: string[] = [];
    send.mockImplementation((_fields, { key }) => (keys.push(key), Promise.resolve(undefined)));
    render(<TestForm draft="a form" bodyOf={(fields) => fields} />);
    await submit();
    await waitUntilIdle();
    await submit('');
    await waitFor(() => expect(keys).toHaveLength(2));
    expect([name().value, new Set(keys).size, drafts.valuesOf('a form')]).toEqual(['Ann', 2, {}]);
  });
});

test.each([
  ['with the same idempotency key after a failure', 'no', 1],
  ['with a new idempotency key if the server has seen the key with another body', 'idempotency_key_reused', 2],
])('a form is sent again %s', async (_how, code, differentKeys) => {
  const keys: string[] = [];
  send.mockImplementation((_fields, { key }) => (keys.push(key), Promise.reject(problem(code) as never)));
  render(<TestForm draft="a form" bodyOf={(fields) => fields} />);
  for (const sends of [1, 2]) {
    await submit(sends === 1 ? 'Ann' : '');
    await waitFor(() => expect(keys).toHaveLength(sends));
    await waitUntilIdle();
  }
  expect(new Set(keys).size).toBe(differentKeys);
});

const withRequest = { draft: 'a form', bodyOf: (fields: Fields) => fields };

test('a form whose page was closed before the answer came sends the same request again, before it can be used', async () => {
  const sent: unknown[] = [];
  let succeed = (_result: undefined) => {};
  send.mockImplementation((_fields, { body, key }) => {
    sent.push([body.name, key]);
    return new Promise((resolve) => (succeed = resolve));
  });
  const { unmount } = render(<TestForm {...withRequest} />);
  await submit();
  await waitFor(() => expect(sent).toHaveLength(1));
  unmount();
  render(<TestForm {...withRequest} defaults={{ name: '', note: 'a default that has changed' }} />);
  expect(screen.getByText('Asking…')).toBeVisible();
  await user.click(button());
  succeed(undefined);
  await waitUntilIdle();
  expect([sent[1], sent.length]).toEqual([sent[0], 2]);
  expect([screen.queryByText('Asking…'), drafts.findOpen('a form')]).toEqual([null, undefined]);
});

test.each([
  ['no longer sends it by itself', 'a failure', problem('no'), 1],
  ['asks again', 'the session has ended', { status: 401 }, 2],
])('a form %s if its request ended with %s', async (_what, _how, failure, sends) => {
  send.mockRejectedValue(failure);
  const { unmount } = render(<TestForm {...withRequest} />);
  await submit();
  await waitUntilIdle();
  unmount();
  render(<TestForm {...withRequest} />);
  await waitUntilIdle();
  expect(send).toHaveBeenCalledTimes(sends);
});

test('a form starts with its draft, and with values from the URL before those of the draft', () => {
  drafts.saveValues('a form', { name: 'from the draft', note: 'from the draft' });
  render(<TestForm draft="a form" prefill={{ note: 'from the URL' }} />);
  expect([name().value, note().value]).toEqual(['from the draft', 'from the URL']);
});

test('a draft keeps only what was typed, so that other fields show new values', async () => {
  const { unmount } = render(<TestForm draft="test" defaults={{ name: 'Ann', note: '' }} />);
  await user.type(note(), 'fragile');
  unmount();
  render(<TestForm draft="test" defaults={{ name: 'Ann Lee', note: '' }} />);
  expect([name().value, note().value]).toEqual(['Ann Lee', 'fragile']);
});

test('a form without a draft stores nothing', async () => {
  render(<TestForm />);
  await user.type(name(), 'Ann');
  expect(localStorage).toHaveLength(0);
});
