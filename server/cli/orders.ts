import { and, eq } from 'drizzle-orm';
import { formatCount } from '../../src/contract/formatCount';
import { openProvider } from '../adapters/openPayments';
import { notifyServers } from '../catalog/catalog';
import type { Db } from '../db/database';
import { orders, tools } from '../db/schema';
import { createLogger } from '../http/logging';
import { UUID } from '../http/textValidation';
import { readShopId, type PaymentContext } from '../payments/context';
import { releaseHolds } from '../holds/endHolds';
import { PaymentProviderDown } from '../payments/provider';
import type { Env } from '../settings/readers';
import type { ShopConnection } from './connectToShopDatabase';
import { failed, runCommand, succeeded, type CommandResult } from './runCommand';

const USAGE = 'Usage: npm run orders -- release TOOL   ends the unpaid holds of a tool, given by its id or exact name';

type FoundTool = Pick<typeof tools.$inferSelect, 'id' | 'name'>;

/** @returns the tool, or a sentence that says why none can be chosen */
async function findTool(db: Db, nameOrId: string): Promise<FoundTool | string> {
  const isTool = UUID.test(nameOrId) ? eq(tools.id, nameOrId) : eq(tools.name, nameOrId);
  const [tool, another] = await db.select({ id: tools.id, name: tools.name }).from(tools).where(isTool).limit(2);
  if (!tool) return `There is no tool "${nameOrId}".`;
  return another ? `Several tools are called "${nameOrId}". Use the id of one of them instead.` : tool;
}

async function release({ db, settings }: ShopConnection, nameOrId: string): Promise<CommandResult> {
  const tool = await findTool(db, nameOrId);
  if (typeof tool === 'string') return failed(tool);
  const { id, name } = tool;
  const ctx: PaymentContext = {
    db,
    settings,
    catalog: { reportChange: (table) => notifyServers(db, [table]) },
    provider: await openProvider(settings, db),
    shopId: await readShopId(db),
    unrecorded: new Set(),
    log: createLogger('warn'),
    closing: new AbortController().signal,
    now: () => new Date(),
    checkpoint: () => Promise.resolve(),
  };
  const ended = await releaseHolds(ctx, id).catch((error: unknown) => {
    if (!(error instanceof PaymentProviderDown)) throw error;
    return undefined;
  });
  if (ended === undefined)
    return failed('The payment provider did not respond. Run this command again: it continues where it stopped.');
  const held = and(eq(orders.toolId, id), eq(orders.state, 'unpaid'), eq(orders.holdsStock, true));
  const keptHolds = await db.$count(orders, held);
  const keptNote = keptHolds > 0 ? ` Kept ${formatCount(keptHolds, 'hold')}, because a payment is in progress.` : '';
  return succeeded(`${name}: ended ${formatCount(ended, 'hold')} and returned the stock.${keptNote}`);
}

export const main = (argv: string[], env: Env): Promise<number> => runCommand({ release }, USAGE, argv, env);
