import { readAccountData, removeAccountsOf } from '../../embedded/firebase-auth';
import { erasePayerData, readPayerData } from '../../embedded/stripe';
import type { Db } from '../db/database';
import { findStoredServices } from '../db/embeddedServices';
import { erasePerson } from '../privacy/erasePerson';
import { exportPerson } from '../privacy/exportPerson';
import type { PersonalDataService, Person } from '../privacy/person';
import type { Env } from '../settings/readers';
import type { Settings } from '../settings/settings';
import type { ShopConnection } from './connectToShopDatabase';
import { failed, runEmailCommand, succeeded, type CommandResult } from './runCommand';

const USAGE = `Usage: npm run users -- export EMAIL   prints everything the shop has about a person, as JSON
       npm run users -- erase EMAIL    erases it, except what the books need`;

const unknownUser = (email: string) => failed(`No user has the email ${email}.`);

const SERVICES: Record<string, PersonalDataService> = {
  embedded_identity: { name: 'embeddedIdentity', read: readAccountData, erase: removeAccountsOf },
  embedded_stripe: { name: 'embeddedPayments', read: readPayerData, erase: erasePayerData },
};
/** A shop that has changed to a vendor still has the data of the embedded service. */
const findServices = async (db: Db) =>
  (await findStoredServices(db.$client)).map(({ schema }): PersonalDataService => SERVICES[schema]!);

/** What the operator has to do at providers that the shop cannot erase a person from. */
const remainingTasks = ({ identity, payments }: Settings, { id, intentIds }: Person): string[] => [
  ...(identity.kind === 'embedded' ? [] : [`Now delete the account ${id} in the console of Firebase Authentication.`]),
  ...(payments.kind === 'stripe' && intentIds.length > 0
    ? [`Stripe keeps the name and email of these payments. Redact them there: ${intentIds.join(', ')}.`]
    : []),
];

async function exportUser({ db }: ShopConnection, email: string): Promise<CommandResult> {
  const found = await exportPerson(db, email, await findServices(db));
  return found ? succeeded(JSON.stringify(found, null, 2)) : unknownUser(email);
}

async function eraseUser({ db, settings }: ShopConnection, email: string): Promise<CommandResult> {
  const outcome = await erasePerson(db, email, await findServices(db), new Date());
  if (outcome === 'unknown') return unknownUser(email);
  if (outcome === 'admin')
    return failed(`${email} is an admin. Run this first: npm run admin -- remove ${email}. Nothing was changed.`);
  if ('unfinished' in outcome)
    return failed(`Nothing was changed, because these orders are not finished:\n${outcome.unfinished.join('\n')}`);
  const sentences = [`Everything about ${email} is erased, except what the books need.`];
  return succeeded([...sentences, ...remainingTasks(settings, outcome.person)].join('\n'));
}

export const main = (argv: string[], env: Env): Promise<number> =>
  runEmailCommand({ export: exportUser, erase: eraseUser }, USAGE, argv, env);
