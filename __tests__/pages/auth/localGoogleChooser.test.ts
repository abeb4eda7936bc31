import { chooseLocalAccount } from '../../../src/session/localGoogleChooser';

function createWindow() {
  const frame = document.body.appendChild(document.createElement('iframe')).contentWindow!;
  let isClosed = false;
  Object.defineProperty(frame, 'closed', { get: () => isClosed });
  return { frame, close: () => (isClosed = true) };
}

function openChooser() {
  const { frame, close } = createWindow();
  const opened = jest.fn<Window, [url?: string | URL, name?: string, features?: string]>(() => frame);
  window.open = opened;
  const chosen = chooseLocalAccount();
  const [, event = ''] = opened.mock.calls[0]!;
  const rightData = { type: 'forgeline:google', event, idToken: 'a token' };
  const rightMessage = { origin: location.origin, source: frame as Window | null, data: rightData as unknown };
  const sendMessage = (changes: Partial<typeof rightMessage> = {}) =>
    window.dispatchEvent(new MessageEvent('message', { ...rightMessage, ...changes }));
  return { chosen, close, event, opened, rightData, sendMessage };
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('a token that arrives just after the Google account chooser has closed is accepted', async () => {
  const { chosen, close, sendMessage } = openChooser();
  close();
  jest.advanceTimersByTime(400);
  sendMessage();
  expect(await chosen).toBe('a token');
});

// Clause A.8.12
test('if the browser blocks the Google account chooser, sign-in reports that', async () => {
  window.open = () => null;
  await expect(chooseLocalAccount()).rejects.toMatchObject({ code: 'auth/popup-blocked' });
});

type Chooser = ReturnType<typeof openChooser>;
const forged = ({ rightData }: Chooser, changes: object) => ({ ...rightData, idToken: 'forged', ...changes });

test.each<[string, (chooser: Chooser) => Parameters<Chooser['sendMessage']>[0]]>([
  ['from another site', (chooser) => ({ origin: 'https://evil.example', data: forged(chooser, {}) })],
  ['from another window', (chooser) => ({ source: window, data: forged(chooser, {}) })],
  ['of an earlier chooser', (chooser) => ({ data: forged(chooser, { event: 'earlier' }) })],
  ['of another type', (chooser) => ({ data: forged(chooser, { type: 'other' }) })],
  ['that is text', () => ({ data: 'forgeline:google' })],
  ['without data', () => ({ data: null })],
])('sign-in ignores a message %s', async (_kind, changesFor) => {
  const chooser = openChooser();
  chooser.sendMessage(changesFor(chooser));
  chooser.sendMessage();
  expect(await chooser.chosen).toBe('a token');
});
