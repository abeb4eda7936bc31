import { openChannel, type ChallengeOutcome, type FromChallenge, type ToChallenge } from './messages';

const COVER = {
  position: 'fixed',
  inset: '0',
  width: '100%',
  height: '100%',
  maxWidth: '100%',
  maxHeight: '100%',
  margin: '0',
  padding: '16px',
  border: '0',
  boxSizing: 'border-box',
  background: 'rgb(0 0 0 / 0.6)',
  display: 'grid',
  placeItems: 'center',
};
const FRAME = {
  border: '0',
  borderRadius: '8px',
  width: '100%',
  maxWidth: '480px',
  height: '320px',
  maxHeight: '100%',
  background: 'Canvas',
};

function build(): { dialog: HTMLDialogElement; frame: HTMLIFrameElement } {
  const dialog = document.createElement('dialog');
  const frame = document.createElement('iframe');
  dialog.setAttribute('aria-label', 'Payment authentication (sandbox)');
  Object.assign(frame, { title: 'Payment authentication (sandbox)', src: '/v1/sandbox/challenge' });
  Object.assign(dialog.style, COVER);
  Object.assign(frame.style, FRAME);
  dialog.append(frame);
  return { dialog, frame };
}

/** A modal dialog over the page; Escape, the page's Back and its own button close it. */
export function askForAuthentication(amount: string): Promise<ChallengeOutcome> {
  const { dialog, frame } = build();
  const before = document.activeElement;
  return new Promise((resolve) => {
    const end = (outcome: ChallengeOutcome) => {
      removeEventListener('popstate', close);
      dialog.remove();
      if (before instanceof HTMLElement) before.focus();
      resolve(outcome);
    };
    const close = () => end('close');
    dialog.addEventListener('cancel', close);
    addEventListener('popstate', close);
    frame.addEventListener('load', () => {
      openChannel<ToChallenge, FromChallenge>(frame, (message) => {
        if ('outcome' in message) end(message.outcome);
        else frame.style.height = `${message.height}px`;
      }).send({ amount });
      frame.focus();
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
