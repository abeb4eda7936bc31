import type { KeyHolder } from './sandboxKeys';
import type { Form } from './form';
import type { Db } from './sandboxOptions';

/** The idempotency key of a call. */
export interface Key {
  given: string;
  /** As it is stored: those of the secret key and of the publishable key are apart. */
  name: string;
  requestHash: string;
}

/** One call that was understood. */
export interface SandboxCall {
  db: Db;
  caller: KeyHolder;
  form: Form;
  id: string;
  /** The client secret that came with it, in its form or its header. */
  clientSecret: string | null;
  requestId: string;
  key: Key | null;
  now: Date;
  publicUrl: string;
  wantedEvents: readonly string[] | null;
}

export interface SandboxAnswer {
  status: number;
  body: object;
  replayed?: true;
}

export const ok = (body: object): SandboxAnswer => ({ status: 200, body });
