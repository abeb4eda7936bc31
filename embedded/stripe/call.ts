import type { KeyHolder } from './sandboxKeys';
import type { Form } from './form';
import type { Db } from './sandboxOptions';

/** The idempotency key of a call. */
export interface IdempotencyKey {
  given: string;
  /** The stored form. It keeps the keys of the secret and of the publishable API key apart. */
  name: string;
  requestHash: string;
}

/** A parsed call. */
export interface SandboxCall {
  db: Db;
  caller: KeyHolder;
  form: Form;
  id: string;
  /** The client secret from the form or the header. */
  clientSecret: string | null;
  requestId: string;
  key: IdempotencyKey | null;
  now: Date;
  publicUrl: string;
  wantedEvents: readonly string[] | null;
}

/** The parts of a call that a change needs. Changes that the service makes by itself have no request. */
export type ChangeContext = Pick<SandboxCall, 'db' | 'key' | 'now' | 'wantedEvents'> & { requestId: string | null };

export interface SandboxAnswer {
  status: number;
  body: object;
  replayed?: true;
}

export const ok = (body: object): SandboxAnswer => ({ status: 200, body });
