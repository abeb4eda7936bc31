import { and, eq } from 'drizzle-orm';
import type { Db } from '../db/database';
import { payments } from '../db/schema';
import { auditBooks, auditProvider, type Finding } from '../payments/audit';
import { readShopId } from '../payments/context';
import { PaymentProviderDown } from '../payments/provider';
import { listSettingWarnings } from '../settingWarnings';
import type { Settings } from '../settings';
import { connect } from './connect';
import { openPaymentProvider } from './provider';

const USAGE = `Usage: npm run doctor [-- --json]            audits money and stock
       npm run doctor -- --returned INTENT  notes that a payment was refunded`;

const print = (line: string) => process.stdout.write(`${line}\n`);
const complain = (line: string) => process.stderr.write(`${line}\n`);

/** Audits the local database, and the provider's data if the provider responds. */
async function audit(settings: Settings, db: Db): Promise<Finding[]> {
  const localFindings = await auditBooks(db);
  try {
    const provider = await openPaymentProvider(settings, db);
    const shopId = await readShopId(db);
    return [...localFindings, ...(await auditProvider({ db, provider, shopId, now: () => new Date() }))];
  } catch (error) {
    if (!(error instanceof PaymentProviderDown)) throw error;
    complain('The payment provider does not respond: only the local database was audited.');
    return localFindings;
  }
}

function report(findings: Finding[], asJson: boolean): number {
  if (asJson) print(JSON.stringify(findings, null, 2));
  else for (const { name, subject, detail } of findings) print(`${name}: ${subject}: ${detail}`);
  if (!asJson && findings.length === 0) print('Money and stock add up.');
  return findings.length > 0 ? 1 : 0;
}

async function noteRefunded(db: Db, intentId: string): Promise<number> {
  const noted = await db
    .update(payments)
    .set({ returnedAt: new Date() })
    .where(and(eq(payments.intentId, intentId), eq(payments.outcome, 'refund due')))
    .returning({ id: payments.intentId });
  if (noted.length > 0) print(`Noted that ${intentId} was refunded.`);
  else complain(`${intentId} has no refund due.`);
  return noted.length > 0 ? 0 : 1;
}

/** @returns the exit code, which is 1 if there are findings */
export async function main(argv: string[], env: Record<string, string | undefined>): Promise<number> {
  const [first, intentId, ...rest] = argv;
  const isRefundNote = first === '--returned' && intentId !== undefined;
  const isAudit = intentId === undefined && (first === undefined || first === '--json');
  if ((!isRefundNote && !isAudit) || rest.length > 0) {
    complain(USAGE);
    return 1;
  }
  const { db, settings, close } = await connect(env);
  for (const warning of listSettingWarnings(settings)) complain(`warning: ${warning}`);
  try {
    return isRefundNote ? await noteRefunded(db, intentId) : report(await audit(settings, db), first === '--json');
  } finally {
    await close();
  }
}
