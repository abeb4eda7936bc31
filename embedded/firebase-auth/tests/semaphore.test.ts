import { setImmediate as afterPendingCallbacks } from 'node:timers/promises';
import { SemaphoreFull, createSemaphore } from '../semaphore';

test('a semaphore with a limit of two runs two calls at a time and the others in order, even after a failure', async () => {
  const runLimited = createSemaphore(2, 100);
  const order: number[] = [];
  let running = 0;
  let maxRunning = 0;
  const work = async (n: number) => {
    maxRunning = Math.max(maxRunning, (running += 1));
    order.push(n);
    await afterPendingCallbacks();
    running -= 1;
    if (n % 3 === 0) throw new Error('failed');
  };
  const results = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => runLimited(() => work(n))));

  expect(maxRunning).toBe(2);
  expect(order).toEqual(Array.from({ length: 20 }, (_, n) => n));
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(7);
});

test('a semaphore with a full queue refuses a call immediately', async () => {
  const runLimited = createSemaphore(1, 1);
  const slow = () => afterPendingCallbacks();
  const first = runLimited(slow);
  const second = runLimited(slow);

  await expect(runLimited(slow)).rejects.toBeInstanceOf(SemaphoreFull);
  await Promise.all([first, second]);
  await expect(runLimited(async () => 'again')).resolves.toBe('again');
});
