import type { ApiKeyKind } from './sandboxKeys';
import type { Form } from './form';
import type { Db } from './sandboxOptions';

export interface IdempotencyKey {
  /**
   * The form in which the key is stored. A prefix names the kind of API key, so that callers with the secret key and
   * with the publishable key never share an idempotency key.
   */
  storedKey: string;
  requestHash: string;
}

/** A call whose route, form and API key have been read. */
export interface SandboxCall {
  db: Db;
  caller: ApiKeyKind;
  form: Form;
  /** The id in the path, or '' if the path has none. */
  id: string;
  /** The client secret, from the call's form or from a header. */
  clientSecret: string | null;
  idempotencyKey: IdempotencyKey | null;
  now: Date;
  publicUrl: string;
}

/** The fields of a call that `commitChange` needs. */
export type ChangeContext = Pick<SandboxCall, 'db' | 'idempotencyKey' | 'now'>;

export interface SandboxResponse {
  status: number;
  body: object;
}

export const okResponse = (body: object): SandboxResponse => ({ status: 200, body });
