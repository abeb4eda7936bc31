import { replaySession } from '../../../src/app/replay/replaySession';
import { recordRandomSession } from './recordRandomSession';

const SESSION_COUNT = Number(process.env['SESSIONS'] ?? 3);
const FIRST_SEED = Number(process.env['SEED'] ?? 1);
const seeds = Array.from({ length: SESSION_COUNT }, (_, index) => FIRST_SEED + index);

describe('a saved session', () => {
  test.each(seeds)(
    'leads to the recorded states when it is replayed, and contains no personal data (seed %i)',
    async (seed) => {
      const { report, file, secrets } = await recordRandomSession(seed);
      const steps = replaySession(file);
      expect(steps.length).toBeGreaterThan(40);
      const firstDifferent = steps.find(({ isSame }) => !isSame);
      expect(firstDifferent?.action).toBeUndefined();
      expect(secrets.filter((secret) => report.includes(secret))).toEqual([]);
    },
    60_000,
  );
});
