import { and, eq } from 'drizzle-orm';
import type { Db } from '../db/database';
import { payments } from '../db/schema';
import { auditBooks, auditProvider, type Finding } from '../payments/audit';
import { readShopId } from '../payments/context';
import { PaymentProviderDown } from '../payments/provider';
import { settingWarnings } from '../settingWarnings';
import type { Settings } from '../settings';
import { connect } from './connect';
import { providerOf } from './provider';

const USAGE = `Usage: npm run doctor [-- --json]            audits money and stock
       npm run doctor -- --returned INTENT  notes that a payment was given back`;

const print = (line: string) => process.stdout.write(`${line}\n`);
const complain = (line: string) => process.stderr.write(`${line}\n`);

/** The provider's word too, where it can be had. */
async function findAll(settings: Settings, db: Db): Promise<Finding[]> {
  const books = await auditBooks(db);
  try {
    const provider = await providerOf(settings, db);
    const shopId = await readShopId(db);
    return [...books, ...(await auditProvider({ db, provider, shopId, now: () => new Date() }))];
  } catch (error) {
    if (!(error instanceof PaymentProviderDown)) throw error;
    complain('The payment provider does not answer: only our own books were looked at.');
    return books;
  }
}

function report(found: Finding[], asJson: boolean): number {
  if (asJson) print(JSON.stringify(found, null, 2));
  else for (const { name, subject, detail } of found) print(`${name}: ${subject}: ${detail}`);
  if (!asJson && found.length === 0) print('Money and stock add up.');
  return found.length > 0 ? 1 : 0;
}

async function noteReturned(db: Db, intentId: string): Promise<number> {
  const noted = await db
    .update(payments)
    .set({ returnedAt: new Date() })
    .where(and(eq(payments.intentId, intentId), eq(payments.outcome, 'refund due')))
    .returning({ id: payments.intentId });
  if (noted.length > 0) print(`Noted: ${intentId} was given back.`);
  else complain(`${intentId} is not due back.`);
  return noted.length > 0 ? 0 : 1;
}

/** Resolves to the exit code: 1 when something does not hold. */
export async function main(argv: string[], env: Record<string, string | undefined>): Promise<number> {
  const [first, intentId, ...rest] = argv;
  const returned = first === '--returned' && intentId !== undefined;
  const plain = intentId === undefined && (first === undefined || first === '--json');
  if ((!returned && !plain) || rest.length > 0) {
    complain(USAGE);
    return 1;
  }
  const { db, settings, close } = await connect(env);
  for (const warning of settingWarnings(settings)) complain(`warning: ${warning}`);
  try {
    return returned ? await noteReturned(db, intentId) : report(await findAll(settings, db), first === '--json');
  } finally {
    await close();
  }
}
