import { openChannel, type ChallengeOutcome, type MessageFromChallenge, type MessageToChallenge } from './messages';

const DIALOG_STYLE = {
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
const FRAME_STYLE = {
  border: '0',
  borderRadius: '8px',
  width: '100%',
  maxWidth: '480px',
  height: '320px',
  maxHeight: '100%',
  background: 'Canvas',
};

function createDialog(): { dialog: HTMLDialogElement; frame: HTMLIFrameElement } {
  const dialog = document.createElement('dialog');
  const frame = document.createElement('iframe');
  dialog.setAttribute('aria-label', 'Payment authentication (test mode)');
  Object.assign(frame, { title: 'Payment authentication (test mode)', src: '/v1/sandbox/challenge' });
  Object.assign(dialog.style, DIALOG_STYLE);
  Object.assign(frame.style, FRAME_STYLE);
  dialog.append(frame);
  return { dialog, frame };
}

/** Opens a modal dialog over the page. Escape, the browser's Back button and the challenge's own buttons close it. */
export function askForAuthentication(amount: string): Promise<ChallengeOutcome> {
  const { dialog, frame } = createDialog();
  const previousFocus = document.activeElement;
  return new Promise((resolve) => {
    const finish = (outcome: ChallengeOutcome) => {
      removeEventListener('popstate', close);
      dialog.remove();
      if (previousFocus instanceof HTMLElement) previousFocus.focus();
      resolve(outcome);
    };
    const close = () => finish('close');
    dialog.addEventListener('cancel', close);
    addEventListener('popstate', close);
    frame.addEventListener('load', () => {
      openChannel<MessageToChallenge, MessageFromChallenge>(frame, (message) => {
        if ('outcome' in message) finish(message.outcome);
        else frame.style.height = `${message.height}px`;
      }).send({ amount });
      frame.focus();
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
