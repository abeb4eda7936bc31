import { sql } from 'drizzle-orm';
import type { Db } from '../db/database';
import { auditDatabase } from '../payments/audit';
import { auditProvider } from '../payments/auditProvider';
import { readShopId } from '../payments/context';
import type { Finding } from '../payments/finding';
import { PaymentProviderDown } from '../payments/provider';
import { listSettingWarnings } from '../settingWarnings';
import type { Settings } from '../settings';
import { connectToShopDatabase } from './connectToShopDatabase';
import { openPaymentProvider } from './openPaymentProvider';

const USAGE = `Usage: npm run doctor [-- --json] [--all]    audits money, stock and mail. --all includes older payments at the provider
       npm run doctor -- --returned INTENT  records that you have paid a customer back in another way`;

const print = (line: string) => process.stdout.write(`${line}\n`);
const printError = (line: string) => process.stderr.write(`${line}\n`);

/** The provider's events and its list of refunds can show the same problem, which is reported only once. */
const withoutRepeats = (findings: Finding[]) =>
  [
    ...new Map(findings.toReversed().map((finding) => [`${finding.name} ${finding.subject}`, finding])).values(),
  ].toReversed();

/** Audits the local database, and the provider's data if the provider responds. */
async function audit(settings: Settings, db: Db, isComplete: boolean): Promise<Finding[]> {
  const localFindings = await auditDatabase(db);
  try {
    const provider = await openPaymentProvider(settings, db);
    const shopId = await readShopId(db);
    const found = await auditProvider({ db, provider, shopId, now: () => new Date() }, isComplete);
    return withoutRepeats([...localFindings, ...found]);
  } catch (error) {
    if (!(error instanceof PaymentProviderDown)) throw error;
    printError('The payment provider did not respond, so only the local database was checked.');
    return localFindings;
  }
}

/** @returns the exit code */
function printFindings(findings: Finding[], asJson: boolean): number {
  if (asJson) print(JSON.stringify(findings, null, 2));
  else for (const { name, subject, detail } of findings) print(`${name}: ${subject}: ${detail}`);
  if (!asJson && findings.length === 0) print('Money and stock add up.');
  return findings.length > 0 ? 1 : 0;
}

/** Refuses while the shop is refunding the payment, because the shop itself records that refund when it completes. */
async function noteRefunded(db: Db, intentId: string): Promise<number> {
  const { rowCount } = await db.execute(sql`
    update payments p set returned_at = now()
    where intent_id = ${intentId}
      and (outcome = 'refund due' or exists (select from refunds r where r.intent_id = p.intent_id and r.state = 'failed'))
      and not exists (select from refunds r where r.intent_id = p.intent_id and r.state in ('requested', 'pending'))`);
  if (rowCount) print(`Recorded that you have paid back the payment ${intentId}.`);
  else
    printError(
      `Nothing was changed: no refund of the payment ${intentId} is due, or the shop is already making that refund.`,
    );
  return rowCount ? 0 : 1;
}

const FLAGS = ['--json', '--all'];

/** @returns the exit code, which is 1 if there are findings */
export async function main(argv: string[], env: Record<string, string | undefined>): Promise<number> {
  const [first, intentId, ...rest] = argv;
  const isRefundNote = first === '--returned' && intentId !== undefined && rest.length === 0;
  const isAudit = new Set(argv).size === argv.length && argv.every((flag) => FLAGS.includes(flag));
  if (!isRefundNote && !isAudit) {
    printError(USAGE);
    return 1;
  }
  const { db, settings, close } = await connectToShopDatabase(env);
  for (const warning of listSettingWarnings(settings)) printError(`warning: ${warning}`);
  try {
    if (isRefundNote) return await noteRefunded(db, intentId);
    return printFindings(await audit(settings, db, argv.includes('--all')), argv.includes('--json'));
  } finally {
    await close();
  }
}
