import { and, eq } from 'drizzle-orm';
import { formatCount } from '../../src/contract/formatCount';
import { notifyServers } from '../catalog/catalog';
import type { Db } from '../db/database';
import { orders, tools } from '../db/schema';
import { createLogger } from '../http/logging';
import { UUID } from '../http/textValidation';
import { readShopId, type PaymentContext } from '../payments/context';
import { releaseHolds } from '../holds/endHolds';
import { PaymentProviderDown } from '../payments/provider';
import type { Settings } from '../settings/settings';
import { connectToShopDatabase } from './connectToShopDatabase';
import { openPaymentProvider } from './openPaymentProvider';

const USAGE = 'Usage: npm run orders -- release TOOL   ends the unpaid holds of a tool, given by its id or exact name';

type FoundTool = Pick<typeof tools.$inferSelect, 'id' | 'name'>;
const printError = (sentence: string) => process.stderr.write(`${sentence}\n`);

/** @returns the tool, or a sentence that says why none can be chosen */
async function findTool(db: Db, nameOrId: string): Promise<FoundTool | string> {
  const isTool = UUID.test(nameOrId) ? eq(tools.id, nameOrId) : eq(tools.name, nameOrId);
  const [tool, another] = await db.select({ id: tools.id, name: tools.name }).from(tools).where(isTool).limit(2);
  if (!tool) return `There is no tool "${nameOrId}".`;
  return another ? `Several tools are called "${nameOrId}". Use the id of one of them instead.` : tool;
}

async function release(db: Db, settings: Settings, { id, name }: FoundTool): Promise<string> {
  const ctx: PaymentContext = {
    db,
    settings,
    catalog: { reportChange: (table) => notifyServers(db, [table]) },
    provider: await openPaymentProvider(settings, db),
    shopId: await readShopId(db),
    unrecorded: new Set(),
    log: createLogger('warn'),
    closing: new AbortController().signal,
    now: () => new Date(),
    checkpoint: () => Promise.resolve(),
  };
  const ended = await releaseHolds(ctx, id);
  const held = and(eq(orders.toolId, id), eq(orders.state, 'unpaid'), eq(orders.holdsStock, true));
  const keptHolds = await db.$count(orders, held);
  const keptNote = keptHolds > 0 ? ` Kept ${formatCount(keptHolds, 'hold')}, because a payment is in progress.` : '';
  return `${name}: ended ${formatCount(ended, 'hold')} and returned the stock.${keptNote}`;
}

/**
 * Checks no permissions, because only the operator can run this command.
 * @returns the exit code
 */
export async function main(argv: string[], env: Record<string, string | undefined>): Promise<number> {
  const [command, nameOrId, ...rest] = argv;
  if (command !== 'release' || !nameOrId || rest.length > 0) {
    printError(USAGE);
    return 1;
  }
  const { db, settings, close } = await connectToShopDatabase(env);
  try {
    const tool = await findTool(db, nameOrId);
    if (typeof tool === 'string') throw new Error(tool);
    process.stdout.write(`${await release(db, settings, tool)}\n`);
    return 0;
  } catch (error) {
    const isProviderDown = error instanceof PaymentProviderDown;
    printError(
      isProviderDown
        ? 'The payment provider did not respond. Run this command again: it continues where it stopped.'
        : (error as Error).message,
    );
    return 1;
  } finally {
    await close();
  }
}
