import { join } from 'node:path';

type Span = { from: number; to: number };
type Read = Span & { state: 'missing' | 'unpaid' | 'paid' };
interface Entry {
  spans: Partial<Record<'placed' | 'paid' | 'deleted', Span>>;
  reads: Read[];
}

const program = join(__dirname, '../../faults/lib/orderHistory.mjs');
const findUnexplainedRead = async (entry: Entry) =>
  ((await import(program)) as { findUnexplainedRead: (entry: Entry) => Read | undefined }).findUnexplainedRead(entry);

const placed = { from: 10, to: 20 };
const read = (state: Read['state'], from: number, to = from + 1): Read => ({ state, from, to });

test.each([
  ['it is missing after it was placed', { placed }, [read('missing', 21)]],
  ['it exists before it was requested', { placed }, [read('unpaid', 5)]],
  ['it exists after it was deleted', { placed, deleted: { from: 30, to: 40 } }, [read('unpaid', 41)]],
  ['it is paid before a payment was requested', { placed, paid: { from: 50, to: 60 } }, [read('paid', 45)]],
  ['it is unpaid after it was paid', { placed, paid: { from: 50, to: 60 } }, [read('unpaid', 61)]],
  [
    'it is unpaid after it was seen to be paid',
    { placed, paid: { from: 50, to: Infinity } },
    [read('paid', 55), read('unpaid', 58)],
  ],
  [
    'it exists after it was seen to be deleted',
    { placed, deleted: { from: 30, to: Infinity } },
    [read('missing', 35), read('unpaid', 38)],
  ],
])('the fault tests report an order if %s', async (_, spans, reads) => {
  expect(await findUnexplainedRead({ spans, reads })).toEqual(reads.at(-1));
});

test('the fault tests accept reads beside a request that is not acknowledged', async () => {
  const spans = { placed, deleted: { from: 30, to: Infinity } };
  const reads = [read('missing', 12), read('unpaid', 15), read('unpaid', 25), read('unpaid', 35), read('missing', 38)];
  expect(await findUnexplainedRead({ spans, reads })).toBeUndefined();
});
