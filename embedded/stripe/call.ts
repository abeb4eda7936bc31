import type { ApiKeyKind } from './sandboxKeys';
import type { Form } from './form';
import type { Db } from './sandboxOptions';

export interface IdempotencyKey {
  /** As the caller sent it. */
  sentKey: string;
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
  requestId: string;
  idempotencyKey: IdempotencyKey | null;
  now: Date;
  publicUrl: string;
}

/**
 * The fields of a call that `commitChange` needs. `requestId` is null for changes that are caused by time and not by a
 * call.
 */
export type ChangeContext = Pick<SandboxCall, 'db' | 'idempotencyKey' | 'now'> & {
  requestId: string | null;
};

export interface SandboxResponse {
  status: number;
  body: object;
  replayed?: true;
}

export const okResponse = (body: object): SandboxResponse => ({ status: 200, body });
