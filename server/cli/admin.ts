import { setTimeout as sleep } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import type { Db } from '../db/database';
import { users } from '../db/schema';
import { normalizeEmail, storedEmail } from '../auth/emailAddress';
import type { Settings } from '../settings';
import { block, nextSecond, signOutEverywhere, unblock, type Blocking } from '../users/blocking';
import { promote, releaseAddress, removeAdmin, type Demotion } from '../users/roles';
import { connect } from './connect';

const USAGE =
  'Usage: npm run admin -- add EMAIL | remove EMAIL | release EMAIL | block EMAIL | unblock EMAIL | sign-out EMAIL';

interface CommandResult {
  ok: boolean;
  sentence: string;
}
type Command = (db: Db, email: string, settings: Settings) => Promise<CommandResult>;

const done = (sentence: string): CommandResult => ({ ok: true, sentence });
const not = (sentence: string): CommandResult => ({ ok: false, sentence });
const unknown = (email: string) => not(`Nobody with the address ${email} has signed in yet.`);
const lastAdmin = (email: string) => not(`${email} is the last admin: make somebody else one first.`);

/** A sign-in is known by its second: wait for the next one, so that a new sign-in counts once this command has ended. */
async function untilNextSecond(from: Date): Promise<void> {
  const left = nextSecond(from).getTime() - Date.now();
  if (left > 0) await sleep(left);
}

async function add(db: Db, email: string): Promise<CommandResult> {
  if (!(await promote(db, email, { actorId: null, unverifiedToo: true }))) return unknown(email);
  const [user] = await db.select({ verified: users.emailVerified }).from(users).where(eq(users.email, email));
  const doubt = user?.verified ? '' : ' The identity provider has not verified that this address is theirs.';
  return done(`${email} is an admin now.${doubt}`);
}

const isAppointed = (email: string, { adminEmails }: Settings) =>
  adminEmails.some((address) => normalizeEmail(address) === email);

async function remove(db: Db, email: string, settings: Settings): Promise<CommandResult> {
  if (isAppointed(email, settings))
    return not(
      `${email} is in ADMIN_EMAILS, so the next sign-in would make it an admin again. ` +
        'Remove it from ADMIN_EMAILS, restart the server, and run this again. Nothing was changed.',
    );
  const outcomes: Record<Demotion, CommandResult> = {
    done: done(`${email} is no longer an admin.`),
    not_admin: done(`${email} is not an admin; nothing was changed.`),
    unknown: unknown(email),
    last_admin: lastAdmin(email),
  };
  return outcomes[await removeAdmin(db, email)];
}

async function release(db: Db, email: string): Promise<CommandResult> {
  const outcome = await releaseAddress(db, email);
  if (outcome === 'unknown') return unknown(email);
  if (outcome === 'last_admin') return lastAdmin(email);
  return done(`${email} is free. Its account keeps its orders, and the next person who signs in with it has it.`);
}

async function blockUser(db: Db, email: string): Promise<CommandResult> {
  const outcomes: Record<Blocking, CommandResult> = {
    done: done(`${email} is blocked. Every session has ended, and nobody can sign in with this address.`),
    already: done(`${email} is blocked already.`),
    unknown: unknown(email),
    last_admin: lastAdmin(email),
  };
  const now = new Date();
  const outcome = await block(db, email, now);
  if (outcome === 'done' || outcome === 'already') await untilNextSecond(now);
  return outcomes[outcome];
}

async function unblockUser(db: Db, email: string): Promise<CommandResult> {
  const outcome = await unblock(db, email);
  if (outcome === 'unknown') return unknown(email);
  return done(outcome === 'done' ? `${email} can sign in again.` : `${email} is not blocked. Nothing was changed.`);
}

async function signOut(db: Db, email: string): Promise<CommandResult> {
  const now = new Date();
  if (!(await signOutEverywhere(db, email, now))) return unknown(email);
  await untilNextSecond(now);
  return done(`Every session of ${email} has ended. Whoever has its password can sign in again.`);
}

const COMMANDS: Record<string, Command> = {
  add,
  remove,
  release,
  block: blockUser,
  unblock: unblockUser,
  'sign-out': signOut,
};

/** Whoever runs this is the operator: no account is asked for. Resolves to the exit code. */
export async function main(argv: string[], env: Record<string, string | undefined>): Promise<number> {
  const [name = '', typed = '', ...rest] = argv;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const email = storedEmail(typed);
  if (!command || !email || rest.length > 0) {
    process.stderr.write(`${USAGE}\n`);
    return 1;
  }
  const { db, settings, close } = await connect(env);
  try {
    const { ok, sentence } = await command(db, email, settings);
    (ok ? process.stdout : process.stderr).write(`${sentence}\n`);
    return ok ? 0 : 1;
  } finally {
    await close();
  }
}
