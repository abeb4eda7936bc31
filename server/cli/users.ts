import { readAccountData, removeAccount } from '../../embedded/firebase-auth';
import { erasePayerData, readPayerData } from '../../embedded/stripe';
import { normalizeStoredEmail } from '../auth/emailAddress';
import { erasePerson } from '../privacy/erasePerson';
import { exportPerson } from '../privacy/exportPerson';
import type { EmbeddedService, Person } from '../privacy/person';
import type { Settings } from '../settings/settings';
import { connectToShopDatabase, type ShopConnection } from './connectToShopDatabase';

const USAGE = `Usage: npm run users -- export EMAIL   prints everything the shop has about a person, as JSON
       npm run users -- erase EMAIL    erases it, except what the books need`;

interface CommandResult {
  ok: boolean;
  output: string;
}

const failed = (output: string): CommandResult => ({ ok: false, output });
const unknownUser = (email: string) => failed(`No user has the email ${email}.`);

const IDENTITY: EmbeddedService = {
  name: 'embeddedIdentity',
  read: (db, { id }) => readAccountData(db, id),
  erase: (tx, { id }) => removeAccount(tx, id),
};
const PAYMENTS: EmbeddedService = { name: 'embeddedPayments', read: readPayerData, erase: erasePayerData };

const embeddedServices = ({ identity, payments }: Settings): EmbeddedService[] => [
  ...(identity.kind === 'embedded' ? [IDENTITY] : []),
  ...(payments.kind === 'stripe' ? [] : [PAYMENTS]),
];

/** What the operator has to do at providers that the shop cannot erase a person from. */
const remainingTasks = ({ identity, payments }: Settings, { id, intentIds }: Person): string[] => [
  ...(identity.kind === 'embedded' ? [] : [`Now delete the account ${id} in the console of Firebase Authentication.`]),
  ...(payments.kind === 'stripe' && intentIds.length > 0
    ? [`Stripe keeps the name and email of these payments. Redact them there: ${intentIds.join(', ')}.`]
    : []),
];

async function exportUser({ db, settings }: ShopConnection, email: string): Promise<CommandResult> {
  const found = await exportPerson(db, email, embeddedServices(settings));
  return found ? { ok: true, output: JSON.stringify(found, null, 2) } : unknownUser(email);
}

async function eraseUser({ db, settings }: ShopConnection, email: string): Promise<CommandResult> {
  const outcome = await erasePerson(db, email, embeddedServices(settings), new Date());
  if (outcome === 'unknown') return unknownUser(email);
  if (outcome === 'admin')
    return failed(`${email} is an admin. Run this first: npm run admin -- remove ${email}. Nothing was changed.`);
  if ('unfinished' in outcome)
    return failed(`Nothing was changed, because these orders are not finished:\n${outcome.unfinished.join('\n')}`);
  const sentences = [`Everything about ${email} is erased, except what the books need.`];
  return { ok: true, output: [...sentences, ...remainingTasks(settings, outcome.person)].join('\n') };
}

const COMMANDS: Record<string, (connection: ShopConnection, email: string) => Promise<CommandResult>> = {
  export: exportUser,
  erase: eraseUser,
};

/**
 * Checks no permissions, because only the operator can run this command.
 * @returns the exit code
 */
export async function main(argv: string[], env: Record<string, string | undefined>): Promise<number> {
  const [name = '', typed = '', ...rest] = argv;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const email = normalizeStoredEmail(typed);
  if (!command || !email || rest.length > 0) {
    process.stderr.write(`${USAGE}\n`);
    return 1;
  }
  const connection = await connectToShopDatabase(env);
  try {
    const { ok, output } = await command(connection, email);
    (ok ? process.stdout : process.stderr).write(`${output}\n`);
    return ok ? 0 : 1;
  } finally {
    await connection.close();
  }
}
