import { randomUUID } from 'node:crypto';
import type { users } from '../../server/db/schema';
import type { Deps } from '../../server/deps';
import { callShop, putUser, shopOrigin } from './api';

export interface Customer {
  id: string;
  email: string;
  token: string;
}
interface ShopInProcess {
  deps: Pick<Deps, 'db' | 'tokens'>;
}

export const PASSWORD = 'secret-1';
export const newEmail = (name = 'person') => `${name}.${randomUUID()}@shop.example`;

/** Inserts a customer into the database of a shop in this process, and issues an access token. */
export async function newCustomer(
  { deps }: ShopInProcess,
  values: Partial<typeof users.$inferInsert> = {},
): Promise<Customer> {
  // Imported only here, because page and browser tests load this file too but need neither the schema nor drizzle.
  const schema = await import('../../server/db/schema');
  const id = `person-${randomUUID()}`;
  const email = values.email ?? `${id}@mail.example`;
  await deps.db.insert(schema.users).values({ id, email, displayName: 'Ann Lee', emailVerified: true, ...values });
  return { id, email, token: deps.tokens.issue(id) };
}

export const bearer = ({ token }: Customer) => ({ authorization: `Bearer ${token}` });

interface Account {
  localId: string;
  idToken: string;
  refreshToken: string;
  expiresIn: string;
}

export type IdentityResponse = Record<string, unknown> & { error?: { message: string } };

/** Calls an endpoint of the embedded identity service. `from` is the value of `X-Forwarded-For`. */
export async function callAccounts(origin: string, endpoint: string, body: unknown, from?: string) {
  const path = `/identitytoolkit.googleapis.com/v1/accounts:${endpoint}?key=any`;
  const headers = { ...(from && { 'x-forwarded-for': from }) };
  const response = await callShop(origin, path, { method: 'POST', body, headers });
  return { status: response.status, body: response.body as IdentityResponse };
}

async function callForAccount(origin: string, endpoint: string, fields: object): Promise<Account> {
  const { status, body } = await callAccounts(origin, endpoint, { returnSecureToken: true, ...fields });
  if (status !== 200) throw new Error(`The identity service answered accounts:${endpoint} with ${status}.`);
  return body as object as Account;
}

/** Creates an account at a running shop's embedded identity service, as the signup page does. */
export async function newAccount(email: string, name = 'Ann Lee', password = PASSWORD, origin = shopOrigin()) {
  const account = await callForAccount(origin, 'signUp', { email, password });
  await callForAccount(origin, 'update', { idToken: account.idToken, displayName: name });
  return account;
}

export const signInToAccount = (email: string, password = PASSWORD, origin = shopOrigin()) =>
  callForAccount(origin, 'signInWithPassword', { email, password });

/** Exchanges an account's ID token for the shop's access token, as the pages do after sign-in. */
export async function exchangeIdToken(email: string, { idToken }: Account, origin = shopOrigin()): Promise<string> {
  const { body } = await putUser(origin, email, idToken);
  return body.token!;
}
