import { openProvider } from '../adapters/openPayments';
import { notifyServers } from '../catalog/catalog';
import type { Db } from '../db/database';
import { auditDatabase } from '../doctor/audit';
import { auditProvider } from '../doctor/auditProvider';
import { readShopId } from '../payments/context';
import type { Finding } from '../doctor/finding';
import { PaymentProviderDown } from '../payments/provider';
import { recordReturned } from '../payments/recordReturned';
import { listSettingWarnings } from '../settings/settingWarnings';
import type { Env } from '../settings/readers';
import type { Settings } from '../settings/settings';
import { print, printError, withShop } from './runCommand';

const USAGE = `Usage: npm run doctor [-- --json] [--all]    audits money, stock and mail. --all includes older payments at the provider
       npm run doctor -- --returned INTENT  records that you have paid a customer back in another way`;

/** Audits the local database and the provider's data. */
async function audit(settings: Settings, db: Db, isComplete: boolean): Promise<Finding[]> {
  const localFindings = await auditDatabase(db);
  try {
    const provider = await openProvider(settings, db);
    const shopId = await readShopId(db);
    const found = await auditProvider({ db, provider, shopId, now: () => new Date() }, isComplete);
    return [...localFindings, ...found];
  } catch (error) {
    if (!(error instanceof PaymentProviderDown)) throw error;
    const detail = 'It did not respond, so only the local database was checked. Run the doctor again.';
    return [...localFindings, { name: 'provider_not_checked', subject: 'payment provider', detail }];
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
export async function main(argv: string[], env: Env): Promise<number> {
  const [first, intentId, ...rest] = argv;
  const isReturnNote = first === '--returned' && intentId !== undefined && rest.length === 0;
  const isAudit = new Set(argv).size === argv.length && argv.every((flag) => FLAGS.includes(flag));
  if (!isReturnNote && !isAudit) {
    printError(USAGE);
    return 1;
  }
  return withShop(async ({ db, settings }) => {
    for (const warning of listSettingWarnings(settings)) printError(`warning: ${warning}`);
    if (isReturnNote) return noteReturned(db, intentId);
    return printFindings(await audit(settings, db, argv.includes('--all')), argv.includes('--json'));
  }, env);
}
