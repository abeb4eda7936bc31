import { acceptChannel, type ChallengeOutcome, type MessageFromChallenge, type MessageToChallenge } from './messages';

const byId = (id: string) => document.querySelector<HTMLElement>(`#${id}`)!;
const OUTCOMES: ChallengeOutcome[] = ['pass', 'fail', 'close'];

void acceptChannel<MessageFromChallenge, MessageToChallenge>(({ amount }, send) => {
  byId('amount').textContent = amount;
  for (const outcome of OUTCOMES) byId(outcome).addEventListener('click', () => send({ outcome }));
  addEventListener('keydown', ({ key }) => key === 'Escape' && send({ outcome: 'close' }));
  // The dialog around this frame needs the frame's height. It is reported at once and after each change, for example
  // when a phone is turned.
  const main = document.querySelector('main')!;
  new ResizeObserver(() => send({ height: main.offsetHeight })).observe(main);
  byId('pass').focus();
});
