import { chooseLocalAccount } from '../../../src/session/localGoogleChooser';

function createWindow() {
  const frame = document.body.appendChild(document.createElement('iframe')).contentWindow!;
  let isClosed = false;
  Object.defineProperty(frame, 'closed', { get: () => isClosed });
  return { frame, close: () => (isClosed = true) };
}

function openChooser() {
  const { frame, close } = createWindow();
  let event = '';
  window.open = (_url, name) => ((event = name!), frame);
  const chosen = chooseLocalAccount();
  const sendToken = () => {
    const data = { type: 'forgeline:google', event, idToken: 'a token' };
    window.dispatchEvent(new MessageEvent('message', { origin: location.origin, source: frame, data }));
  };
  return { chosen, close, sendToken };
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('a token that arrives just after the Google account chooser has closed is accepted', async () => {
  const { chosen, close, sendToken } = openChooser();
  close();
  jest.advanceTimersByTime(400);
  sendToken();
  expect(await chosen).toBe('a token');
});

test('if the Google account chooser closes without sending a token, sign-in reports that the user closed it', async () => {
  const { chosen, close } = openChooser();
  close();
  jest.advanceTimersByTime(1000);
  await expect(chosen).rejects.toMatchObject({ code: 'auth/popup-closed-by-user' });
});
