import { setImmediate as turn } from 'node:timers/promises';
import { RefreshQueue } from '../../../server/catalog/refreshQueue';

/** Each reading waits until the test ends it. */
function readings() {
  const begun: { ids: string[] | undefined; end: (error?: Error) => void }[] = [];
  let arrived = () => {};
  const refresh = (ids?: string[]) =>
    new Promise<void>((resolve, reject) => {
      begun.push({ ids, end: (error) => (error ? reject(error) : resolve()) });
      arrived();
    });
  async function nth(n: number) {
    while (begun.length < n) await new Promise<void>((resolve) => (arrived = resolve));
    return begun[n - 1]!;
  }
  return { refresh, nth, count: () => begun.length };
}

let troubles: Error[];
let reading: ReturnType<typeof readings>;
let queue: RefreshQueue;
beforeEach(() => {
  troubles = [];
  reading = readings();
  queue = new RefreshQueue(reading.refresh, (error) => troubles.push(error));
});
afterEach(() => queue.close());

it('a failed reading is reported and repeated by itself, of everything', async () => {
  const changed = queue.changed('one');
  expect((await reading.nth(1)).ids).toEqual(['one']);
  const failure = new Error('the database is away');
  (await reading.nth(1)).end(failure);
  await changed;
  const again = await reading.nth(2);
  expect([troubles, again.ids]).toEqual([[failure], undefined]);
  again.end(failure);
  (await reading.nth(3)).end();
});

it('a change is over when a reading that began after it has ended', async () => {
  const ended: string[] = [];
  const change = (id: string) => queue.changed(id).then(() => ended.push(id));
  const first = change('one');
  const meanwhile = [change('two'), change('three')];
  (await reading.nth(1)).end();
  await first;
  const second = await reading.nth(2);
  await turn();
  expect([second.ids, ended]).toEqual([['two', 'three'], ['one']]);
  second.end();
  await Promise.all(meanwhile);
  expect(ended).toEqual(['one', 'two', 'three']);
});

it('one change without an id makes the reading one of everything', async () => {
  const changes = [queue.changed('one'), queue.changed('two'), queue.changed()];
  (await reading.nth(1)).end();
  const { ids, end } = await reading.nth(2);
  end();
  await Promise.all(changes);
  expect(ids).toBeUndefined();
});
