import { randomKey } from '../contract/randomKey';

const CHOOSER_PATH = '/identity/google';
const POPUP_FEATURES = 'popup,width=420,height=700';
const CLOSED_POLL_MS = 300;

interface ChosenAccount {
  type: 'forgeline:google';
  event: string;
  idToken: string;
}

const isChosenAccount = (data: unknown): data is ChosenAccount =>
  typeof data === 'object' && data !== null && (data as ChosenAccount).type === 'forgeline:google';

const errorWithCode = (code: string) => Object.assign(new Error(code), { code });

/**
 * Opens the embedded service's stand-in for Google's account chooser.
 * @returns the ID token of the chosen account
 */
export function chooseLocalAccount(): Promise<string> {
  const event = randomKey();
  const popup = window.open(`${CHOOSER_PATH}?event=${event}`, event, POPUP_FEATURES);
  if (!popup) return Promise.reject(errorWithCode('auth/popup-blocked'));

  return new Promise((resolve, reject) => {
    const handleMessage = ({ origin, source, data }: MessageEvent) => {
      if (origin !== location.origin || source !== popup || !isChosenAccount(data) || data.event !== event) return;
      finish();
      resolve(data.idToken);
    };
    let wasClosed = false;
    const poll = setInterval(() => {
      // The popup's message can arrive after the popup has closed, so this waits for one more interval before it
      // rejects.
      if (!wasClosed) return void (wasClosed = popup.closed);
      finish();
      reject(errorWithCode('auth/popup-closed-by-user'));
    }, CLOSED_POLL_MS);
    function finish() {
      clearInterval(poll);
      window.removeEventListener('message', handleMessage);
    }
    window.addEventListener('message', handleMessage);
  });
}
