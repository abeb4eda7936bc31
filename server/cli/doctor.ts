import { notifyServers } from '../catalog/catalog';
import type { Db } from '../db/database';
import { auditDatabase } from '../doctor/audit';
import { auditProvider } from '../doctor/auditProvider';
import { readShopId } from '../payments/context';
import type { Finding } from '../doctor/finding';
import { PaymentProviderDown } from '../payments/provider';
import { recordReturned } from '../payments/recordReturned';
import { listSettingWarnings } from '../settings/settingWarnings';
import type { Settings } from '../settings/settings';
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

async function noteReturned(db: Db, intentId: string): Promise<number> {
  const returned = await recordReturned(db, intentId);
  if (!returned) {
    printError(
      `Nothing was changed: no refund of the payment ${intentId} is due, or the shop is already making that refund.`,
    );
    return 1;
  }
  print(`Recorded that you have paid back the payment ${intentId}.`);
  if (returned.restockedTool) await notifyServers(db, [`tools/${returned.restockedTool}`]);
  return 0;
}

const FLAGS = ['--json', '--all'];

/** @returns the exit code, which is 1 if there are findings */
export async function main(argv: string[], env: Record<string, string | undefined>): Promise<number> {
  const [first, intentId, ...rest] = argv;
  const isReturnNote = first === '--returned' && intentId !== undefined && rest.length === 0;
  const isAudit = new Set(argv).size === argv.length && argv.every((flag) => FLAGS.includes(flag));
  if (!isReturnNote && !isAudit) {
    printError(USAGE);
    return 1;
  }
  const { db, settings, close } = await connectToShopDatabase(env);
  for (const warning of listSettingWarnings(settings)) printError(`warning: ${warning}`);
  try {
    if (isReturnNote) return await noteReturned(db, intentId);
    return printFindings(await audit(settings, db, argv.includes('--all')), argv.includes('--json'));
  } finally {
    await close();
  }
}
