import { SemaphoreFull, createSemaphore } from '../semaphore';

test('two work at once, the rest in order, and none is left waiting by a failure', async () => {
  const inTurn = createSemaphore(2, 100);
  const order: number[] = [];
  let running = 0;
  let most = 0;
  const work = async (n: number) => {
    most = Math.max(most, (running += 1));
    order.push(n);
    await new Promise((resume) => setTimeout(resume, 2));
    running -= 1;
    if (n % 3 === 0) throw new Error('failed');
  };
  const results = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => inTurn(() => work(n))));

  expect(most).toBe(2);
  expect(order).toEqual(Array.from({ length: 20 }, (_, n) => n));
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(7);
});

test('a queue that is full refuses at once', async () => {
  const inTurn = createSemaphore(1, 1);
  const slow = () => new Promise((resume) => setTimeout(resume, 5));
  const first = inTurn(slow);
  const second = inTurn(slow);

  await expect(inTurn(slow)).rejects.toBeInstanceOf(SemaphoreFull);
  await Promise.all([first, second]);
  await expect(inTurn(async () => 'again')).resolves.toBe('again');
});
