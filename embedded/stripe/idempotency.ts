import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { sandboxIdempotency } from './schema';
import type { SandboxResponse, SandboxCall, IdempotencyKey } from './call';
import type { ApiKeyKind } from './sandboxKeys';
import { StripeErrorResponse } from './stripeErrors';

const MAX_KEY_LENGTH = 255;

const idempotencyError = (message: string) => new StripeErrorResponse(400, { type: 'idempotency_error', message });

const parametersDiffer = () =>
  idempotencyError('Keys for idempotent requests can only be used with the same parameters they were first used with.');

function hashOf(path: string, encodedParameters: string): string {
  const fields = [...new URLSearchParams(encodedParameters)].map((field) => JSON.stringify(field)).sort();
  return createHash('sha256')
    .update(JSON.stringify([path, fields]))
    .digest('hex');
}

export function readIdempotencyKey(
  caller: ApiKeyKind,
  sentKey: string,
  path: string,
  encodedParameters: string,
): IdempotencyKey {
  if (sentKey.length > MAX_KEY_LENGTH)
    throw idempotencyError(`Idempotency keys are at most ${MAX_KEY_LENGTH} characters long.`);
  return { storedKey: `${caller}:${sentKey}`, requestHash: hashOf(path, encodedParameters) };
}

/**
 * @returns the first response to this idempotency key
 * @throws if the key was first used with other parameters
 */
export async function readStoredResponse(
  { db }: Pick<SandboxCall, 'db'>,
  { storedKey, requestHash }: IdempotencyKey,
): Promise<SandboxResponse> {
  const [stored] = await db.select().from(sandboxIdempotency).where(eq(sandboxIdempotency.key, storedKey));
  if (stored?.requestHash !== requestHash) throw parametersDiffer();
  return { status: stored.status, body: stored.body as object };
}
