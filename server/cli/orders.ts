import { and, eq } from 'drizzle-orm';
import { openCatalog } from '../catalog/catalog';
import type { Db } from '../db/database';
import { orders, tools } from '../db/schema';
import { makeLogger } from '../http/logging';
import { UUID } from '../http/textValidation';
import { readShopId, type PaymentContext } from '../payments/context';
import { releaseHolds } from '../payments/endHolds';
import { PaymentProviderDown } from '../payments/provider';
import type { Settings } from '../settings';
import { connect } from './connect';
import { providerOf } from './provider';

const USAGE = 'Usage: npm run orders -- release TOOL   ends the unpaid holds of a tool, named by its id or exact name';

type Tool = Pick<typeof tools.$inferSelect, 'id' | 'name'>;
const complain = (sentence: string) => process.stderr.write(`${sentence}\n`);
const some = (n: number, one: string) => `${n} ${one}${n === 1 ? '' : 's'}`;

async function findTool(db: Db, named: string): Promise<Tool | string> {
  const which = UUID.test(named) ? eq(tools.id, named) : eq(tools.name, named);
  const [tool, another] = await db.select({ id: tools.id, name: tools.name }).from(tools).where(which).limit(2);
  if (!tool) return `There is no tool "${named}".`;
  return another ? `Several tools are called "${named}": name the one you mean by its id.` : tool;
}

async function release(db: Db, settings: Settings, { id, name }: Tool): Promise<string> {
  const catalogue = await openCatalog(db, ({ message }) => complain(message));
  const ctx: PaymentContext = {
    db,
    settings,
    catalog: catalogue,
    provider: await providerOf(settings, db),
    shopId: await readShopId(db),
    unrecorded: new Set(),
    log: makeLogger('warn', false),
    closing: new AbortController().signal,
    now: () => new Date(),
    checkpoint: () => Promise.resolve(),
  };
  try {
    const ended = await releaseHolds(ctx, id);
    const held = and(eq(orders.toolId, id), eq(orders.state, 'unpaid'), eq(orders.holdsStock, true));
    const kept = await db.$count(orders, held);
    const still = kept > 0 ? ` ${some(kept, 'order')} being paid for right now kept theirs.` : '';
    return `${name}: ${some(ended, 'hold')} ended, the stock is back.${still}`;
  } finally {
    await catalogue.close();
  }
}

/** Who runs this is the operator. Resolves to the exit code. */
export async function main(argv: string[], env: Record<string, string | undefined>): Promise<number> {
  const [command, named, ...rest] = argv;
  if (command !== 'release' || !named || rest.length > 0) {
    complain(USAGE);
    return 1;
  }
  const { db, settings, close } = await connect(env);
  try {
    const tool = await findTool(db, named);
    if (typeof tool === 'string') throw new Error(tool);
    process.stdout.write(`${await release(db, settings, tool)}\n`);
    return 0;
  } catch (error) {
    const down = error instanceof PaymentProviderDown;
    complain(
      down ? 'The payment provider does not answer. Run this again: what is done is done.' : (error as Error).message,
    );
    return 1;
  } finally {
    await close();
  }
}
