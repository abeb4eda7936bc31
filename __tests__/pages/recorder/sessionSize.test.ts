import { Blob } from 'node:buffer';
import { CompressionStream } from 'node:stream/web';
import { gzipSync } from 'node:zlib';
import { MAX_PACKED_BYTES } from '../../../src/recorder/sessionFile';
import { replaySession } from '../../../src/app/replay/replaySession';
import { recordRandomSession } from './recordRandomSession';

const ACTIONS = 900;

/** jsdom has no streams. */
beforeAll(() => Object.assign(globalThis, { Blob, CompressionStream }));

test('a saved session has at most 64 KB in gzip, without its oldest steps, and the others can be replayed', async () => {
  const { report, file } = await recordRandomSession(3, ACTIONS);
  const size = gzipSync(report).length;
  expect(size).toBeLessThanOrEqual(MAX_PACKED_BYTES);
  expect(size).toBeGreaterThan(MAX_PACKED_BYTES / 2);
  const steps = replaySession(file);
  // Each action has more than one step.
  expect(steps.length).toBeLessThan(ACTIONS);
  expect(steps.filter(({ isSame }) => !isSame)).toEqual([]);
}, 120_000);
