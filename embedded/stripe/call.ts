import type { KeyHolder } from './sandboxKeys';
import type { Form } from './form';
import type { Db } from './sandboxOptions';

export interface IdempotencyKey {
  given: string;
  /**
   * The form in which the key is stored. Its prefix says which API key was used, so that the two have separate keys.
   */
  name: string;
  requestHash: string;
}

/** A call after its route, its form and its API key have been read. */
export interface SandboxCall {
  db: Db;
  caller: KeyHolder;
  form: Form;
  id: string;
  /** The client secret that the call has in its form or in a header. */
  clientSecret: string | null;
  requestId: string;
  key: IdempotencyKey | null;
  now: Date;
  publicUrl: string;
  wantedEvents: readonly string[] | null;
}

/**
 * The fields of a call that commitChange needs. `requestId` is null for changes that happen without a call, by time.
 */
export type ChangeContext = Pick<SandboxCall, 'db' | 'key' | 'now' | 'wantedEvents'> & { requestId: string | null };

export interface SandboxResponse {
  status: number;
  body: object;
  replayed?: true;
}

export const okResponse = (body: object): SandboxResponse => ({ status: 200, body });
