import type { Deps } from '../deps';
import { databaseRateLimit } from '../http/rateLimit';
import { shareHeldUnpaid } from './paymentMetrics';

const TOO_MUCH = 0.5;
const HOUR_SECONDS = 3_600;

/** A part of the sweep. Warns at most once an hour, over all copies of the server. */
export async function watchHoarding({ db, now, log }: Pick<Deps, 'db' | 'now' | 'log'>): Promise<void> {
  const share = await shareHeldUnpaid({ db });
  if (share <= TOO_MUCH) return;
  const { ok } = await databaseRateLimit(db, now)('warn of stock held unpaid', 1, HOUR_SECONDS);
  if (ok) log.warn({ share: Number(share.toFixed(3)) }, 'more than half of all stock is held unpaid');
}
