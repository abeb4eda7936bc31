import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { sandboxIdempotency } from './schema';
import type { SandboxAnswer, SandboxCall, Key } from './call';
import type { KeyHolder } from './sandboxKeys';
import { StripeErrorResponse } from './stripeErrors';

const MAX_KEY = 255;

const refuse = (message: string) => new StripeErrorResponse(400, { type: 'idempotency_error', message });

const otherParameters = (key: string) =>
  refuse(
    `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
  );

function hashOf(path: string, encoded: string): string {
  const fields = [...new URLSearchParams(encoded)].map((field) => JSON.stringify(field)).sort();
  return createHash('sha256')
    .update(JSON.stringify([path, fields]))
    .digest('hex');
}

export function keyOf(caller: KeyHolder, given: string, path: string, encoded: string): Key {
  if (given.length > MAX_KEY) throw refuse(`Idempotency keys are at most ${MAX_KEY} characters long.`);
  return { given, name: `${caller}:${given}`, requestHash: hashOf(path, encoded) };
}

/** The first answer to a key, given again to whoever repeats it. */
export async function keptAnswer({ db }: SandboxCall, { name, given, requestHash }: Key): Promise<SandboxAnswer> {
  const [kept] = await db.select().from(sandboxIdempotency).where(eq(sandboxIdempotency.key, name));
  if (kept?.requestHash !== requestHash) throw otherParameters(given);
  return { status: kept.status, body: kept.body as object, replayed: true };
}
