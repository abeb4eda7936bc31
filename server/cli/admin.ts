import { eq } from 'drizzle-orm';
import type { Db } from '../db/open';
import { users } from '../db/schema';
import { normaliseEmail } from '../email';
import { promote, releaseAddress, removeAdmin, type Demotion } from '../users/roles';
import { connect } from './connect';

const USAGE = 'Usage: npm run admin -- add EMAIL | remove EMAIL | release EMAIL';

interface Outcome {
  ok: boolean;
  sentence: string;
}
const done = (sentence: string): Outcome => ({ ok: true, sentence });
const not = (sentence: string): Outcome => ({ ok: false, sentence });
const nobody = (email: string) => not(`Nobody with the address ${email} has signed in yet.`);
const theLast = (email: string) => not(`${email} is the last admin: make somebody else one first.`);

async function add(db: Db, email: string): Promise<Outcome> {
  if (!(await promote(db, email, null))) return nobody(email);
  const [user] = await db.select({ verified: users.emailVerified }).from(users).where(eq(users.email, email));
  const doubt = user?.verified ? '' : ' The identity provider has not verified that this address is theirs.';
  return done(`${email} is an admin now.${doubt}`);
}

async function remove(db: Db, email: string): Promise<Outcome> {
  const outcomes: Record<Demotion, Outcome> = {
    done: done(`${email} is no longer an admin.`),
    not_admin: done(`${email} is not an admin; nothing was changed.`),
    unknown: nobody(email),
    last_admin: theLast(email),
  };
  return outcomes[await removeAdmin(db, email)];
}

async function release(db: Db, email: string): Promise<Outcome> {
  const outcome = await releaseAddress(db, email);
  if (outcome === 'unknown') return nobody(email);
  if (outcome === 'last_admin') return theLast(email);
  return done(`${email} is free: the account that had it keeps its orders, and whoever signs in with it next has it.`);
}

const COMMANDS: Record<string, (db: Db, email: string) => Promise<Outcome>> = { add, remove, release };

/** Who runs this is the operator: no account is asked for. Resolves to the exit code. */
export async function main(argv: string[], env: Record<string, string | undefined>): Promise<number> {
  const [name = '', typed = '', ...rest] = argv;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const email = normaliseEmail(typed);
  if (!command || !email || rest.length > 0) {
    process.stderr.write(`${USAGE}\n`);
    return 1;
  }
  const { db, close } = await connect(env);
  try {
    const { ok, sentence } = await command(db, email);
    (ok ? process.stdout : process.stderr).write(`${sentence}\n`);
    return ok ? 0 : 1;
  } finally {
    await close();
  }
}
