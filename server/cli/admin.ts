import { setTimeout as sleep } from 'node:timers/promises';
import { normalizeEmail } from '../auth/emailAddress';
import type { Env } from '../settings/readers';
import type { Settings } from '../settings/settings';
import { block, startOfNextSecond, signOutEverywhere, unblock } from '../users/blocking';
import { promote, removeAdmin } from '../users/roles';
import type { ShopConnection } from './connectToShopDatabase';
import { failed, runEmailCommand, succeeded, type CommandResult } from './runCommand';

const USAGE = 'Usage: npm run admin -- add EMAIL | remove EMAIL | block EMAIL | unblock EMAIL | sign-out EMAIL';

const unknownUser = (email: string) => failed(`No user with the email ${email} has signed in yet.`);
const lastAdmin = (email: string) => failed(`${email} is the last admin. Make another user an admin first.`);

/**
 * ID tokens contain the time of the sign-in in whole seconds. Without this wait, a sign-in right after the command
 * could be in the second of the change and would be revoked with the older ones.
 */
async function waitForNextSecond(from: Date): Promise<void> {
  const left = startOfNextSecond(from).getTime() - Date.now();
  if (left > 0) await sleep(left);
}

async function add({ db }: ShopConnection, email: string): Promise<CommandResult> {
  const promotion = await promote(db, email, { actorId: null, canBeUnverified: true });
  if (promotion === 'unknown') return unknownUser(email);
  const note = promotion.user.emailVerified ? '' : ' The identity provider has not verified this email.';
  return succeeded(`${email} is an admin now.${note}`);
}

const isAppointed = (email: string, { adminEmails }: Settings) =>
  adminEmails.some((address) => normalizeEmail(address) === email);

async function remove({ db, settings }: ShopConnection, email: string): Promise<CommandResult> {
  if (isAppointed(email, settings))
    return failed(
      `${email} is in ADMIN_EMAILS, so the next sign-in would make it an admin again. ` +
        'Remove it from ADMIN_EMAILS, restart the server, and run this again. Nothing was changed.',
    );
  const outcomes = {
    done: succeeded(`${email} is no longer an admin.`),
    not_admin: succeeded(`${email} is not an admin. Nothing was changed.`),
    unknown: unknownUser(email),
    last_admin: lastAdmin(email),
  };
  return outcomes[await removeAdmin(db, email)];
}

async function blockUser({ db }: ShopConnection, email: string): Promise<CommandResult> {
  const outcomes = {
    done: succeeded(`${email} is blocked. All sessions have ended, and nobody can sign in with this email.`),
    already: succeeded(`${email} is already blocked.`),
    unknown: unknownUser(email),
    last_admin: lastAdmin(email),
  };
  const now = new Date();
  const outcome = await block(db, email, now);
  if (outcome === 'done' || outcome === 'already') await waitForNextSecond(now);
  return outcomes[outcome];
}

async function unblockUser({ db }: ShopConnection, email: string): Promise<CommandResult> {
  const outcome = await unblock(db, email);
  if (outcome === 'unknown') return unknownUser(email);
  return succeeded(
    outcome === 'done' ? `${email} can sign in again.` : `${email} is not blocked. Nothing was changed.`,
  );
}

async function signOut({ db }: ShopConnection, email: string): Promise<CommandResult> {
  const now = new Date();
  if ((await signOutEverywhere(db, email, now)) === 'unknown') return unknownUser(email);
  await waitForNextSecond(now);
  return succeeded(`All sessions of ${email} have ended. Anyone with the password can sign in again.`);
}

const COMMANDS = { add, remove, block: blockUser, unblock: unblockUser, 'sign-out': signOut };

export const main = (argv: string[], env: Env): Promise<number> => runEmailCommand(COMMANDS, USAGE, argv, env);
