import { chooseLocalAccount } from '../../../src/session/localGoogleChooser';

/** A window of the page that looks closed when it is told to. */
function aWindow() {
  const frame = document.body.appendChild(document.createElement('iframe')).contentWindow!;
  let closed = false;
  Object.defineProperty(frame, 'closed', { get: () => closed });
  return { frame, close: () => (closed = true) };
}

function openChooser() {
  const { frame, close } = aWindow();
  let event = '';
  window.open = (_url, name) => ((event = name!), frame);
  const chosen = chooseLocalAccount();
  const say = () => {
    const data = { type: 'forgeline:google', event, idToken: 'a token' };
    window.dispatchEvent(new MessageEvent('message', { origin: location.origin, source: frame, data }));
  };
  return { chosen, close, say };
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('what the window said as it closed counts, though it comes when the window is gone', async () => {
  const { chosen, close, say } = openChooser();
  close();
  jest.advanceTimersByTime(400);
  say();
  expect(await chosen).toBe('a token');
});

test('a window that closed without a word is told', async () => {
  const { chosen, close } = openChooser();
  close();
  jest.advanceTimersByTime(1000);
  await expect(chosen).rejects.toMatchObject({ code: 'auth/popup-closed-by-user' });
});
