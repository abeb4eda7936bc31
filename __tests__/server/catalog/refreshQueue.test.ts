import { setImmediate as afterPendingCallbacks } from 'node:timers/promises';
import { RefreshQueue } from '../../../server/catalog/refreshQueue';

const BATCH_MS = 5;
const RETRY_DELAY_MS = 500;

/** Provides refreshes that wait until the test finishes them. */
function createControlledRefreshes() {
  const started: { ids: string[] | undefined; finish: (error?: Error) => void }[] = [];
  let onStarted = () => {};
  const refresh = (ids?: string[]) =>
    new Promise<void>((resolve, reject) => {
      started.push({ ids, finish: (error) => (error ? reject(error) : resolve()) });
      onStarted();
    });
  async function nth(n: number) {
    while (started.length < n) await new Promise<void>((resolve) => (onStarted = resolve));
    return started[n - 1]!;
  }
  return { refresh, nth };
}

let errors: Error[];
let waits: number[];
let refreshes: ReturnType<typeof createControlledRefreshes>;
let queue: RefreshQueue;
beforeEach(() => {
  errors = [];
  waits = [];
  refreshes = createControlledRefreshes();
  const wait = async (ms: number) => void waits.push(ms);
  queue = new RefreshQueue(refreshes.refresh, (error) => errors.push(error), wait);
});
afterEach(() => queue.close());

it('a failed refresh of cached rows is reported, and is retried after a pause as a refresh of all rows', async () => {
  const changed = queue.requestRefresh('one');
  expect((await refreshes.nth(1)).ids).toEqual(['one']);
  const failure = new Error('the database is unreachable');
  (await refreshes.nth(1)).finish(failure);
  await changed;
  const retry = await refreshes.nth(2);
  expect([errors, retry.ids]).toEqual([[failure], undefined]);
  retry.finish(failure);
  (await refreshes.nth(3)).finish();
  expect(waits).toEqual([RETRY_DELAY_MS, RETRY_DELAY_MS]);
});

it('a refresh that is already running does not resolve requestRefresh(), but the next refresh does', async () => {
  const resolved: string[] = [];
  const reportChange = (id: string) => queue.requestRefresh(id).then(() => resolved.push(id));
  const first = reportChange('one');
  const laterChanges = [reportChange('two'), reportChange('three')];
  (await refreshes.nth(1)).finish();
  await first;
  const second = await refreshes.nth(2);
  await afterPendingCallbacks();
  expect([second.ids, resolved]).toEqual([['two', 'three'], ['one']]);
  second.finish();
  await Promise.all(laterChanges);
  expect(resolved).toEqual(['one', 'two', 'three']);
});

it('a change without an id makes the next refresh reload all rows', async () => {
  const changes = [queue.requestRefresh('one'), queue.requestRefresh('two'), queue.requestRefresh()];
  (await refreshes.nth(1)).finish();
  const { ids, finish } = await refreshes.nth(2);
  finish();
  await Promise.all(changes);
  expect(ids).toBeUndefined();
});

it('changes that follow each other do not wait for the pause after a failure', async () => {
  for (let n = 1; n <= 10; n++) {
    const changed = queue.requestRefresh('one');
    (await refreshes.nth(n)).finish();
    await changed;
  }
  await afterPendingCallbacks();
  expect(new Set(waits)).toEqual(new Set([BATCH_MS]));
});
