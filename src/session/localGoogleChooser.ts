import { newKey } from '../contract/randomKey';

const PAGE = '/identity/google';
const LOOK = 'popup,width=420,height=600';
const LOOK_AFTER_MS = 300;

interface Chosen {
  type: 'forgeline:google';
  event: string;
  idToken: string;
}

const isChosen = (data: unknown): data is Chosen =>
  typeof data === 'object' && data !== null && (data as Chosen).type === 'forgeline:google';

const withCode = (code: string) => Object.assign(new Error(code), { code });

/** Opens the local account chooser; resolves to the credential of the account that was chosen. */
export function chooseLocalAccount(): Promise<string> {
  const event = newKey();
  const popup = window.open(`${PAGE}?event=${event}`, event, LOOK);
  if (!popup) return Promise.reject(withCode('auth/popup-blocked'));

  return new Promise((resolve, reject) => {
    const answered = ({ origin, source, data }: MessageEvent) => {
      if (origin !== location.origin || source !== popup || !isChosen(data) || data.event !== event) return;
      finish();
      resolve(data.idToken);
    };
    let wasClosed = false;
    const look = setInterval(() => {
      // Its last word may come after it is gone.
      if (!wasClosed) return void (wasClosed = popup.closed);
      finish();
      reject(withCode('auth/popup-closed-by-user'));
    }, LOOK_AFTER_MS);
    function finish() {
      clearInterval(look);
      window.removeEventListener('message', answered);
    }
    window.addEventListener('message', answered);
  });
}
