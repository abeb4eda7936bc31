import { acceptChannel, type ChallengeOutcome, type MessageFromChallenge, type MessageToChallenge } from './messages';

const buttonOf = (outcome: ChallengeOutcome) => document.querySelector<HTMLButtonElement>(`#${outcome}`)!;
const OUTCOMES: ChallengeOutcome[] = ['pass', 'fail', 'close'];

void acceptChannel<MessageFromChallenge, MessageToChallenge>(({ amount }, send) => {
  document.querySelector('#amount')!.textContent = amount;
  for (const outcome of OUTCOMES) {
    buttonOf(outcome).addEventListener('click', () => send({ outcome }));
    buttonOf(outcome).disabled = false;
  }
  addEventListener('keydown', ({ key }) => key === 'Escape' && send({ outcome: 'close' }));
  // The dialog around this frame needs the frame's height. It is reported at once and after each change, for example
  // when a phone is turned.
  const main = document.querySelector('main')!;
  new ResizeObserver(() => send({ height: main.offsetHeight })).observe(main);
  buttonOf('pass').focus();
});
