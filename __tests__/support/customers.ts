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

/** A customer of a shop in this process: a row, and an access token of the shop. */
export async function newCustomer(
  { deps }: ShopInProcess,
  values: Partial<typeof users.$inferInsert> = {},
): Promise<Customer> {
  // Page and browser tests use this file too: they need neither the schema nor its library.
  const schema = await import('../../server/db/schema');
  const id = `person-${randomUUID()}`;
  const email = values.email ?? `${id}@mail.example`;
  await deps.db.insert(schema.users).values({ id, email, displayName: 'Ann Lee', emailVerified: true, ...values });
  return { id, email, token: deps.tokens.issue(id) };
}

export const newAdmin = (shop: ShopInProcess) => newCustomer(shop, { role: 'admin' });

export const bearer = ({ token }: Customer) => ({ authorization: `Bearer ${token}` });

export const demote = ({ deps }: ShopInProcess, { id }: Customer) =>
  deps.db.$client.query(`update users set role = 'member' where id = $1`, [id]);

export interface Account {
  localId: string;
  idToken: string;
  refreshToken: string;
  expiresIn: string;
}

async function callIdentity(origin: string, name: string, fields: object): Promise<Account> {
  const body = { returnSecureToken: true, ...fields };
  const path = `/identitytoolkit.googleapis.com/v1/accounts:${name}?key=any`;
  const answer = await callShop(origin, path, { method: 'POST', body });
  if (answer.status !== 200) throw new Error(`accounts:${name} answered ${answer.status}.`);
  return answer.body as object as Account;
}

/** An account at a running shop's embedded identity service: what the signup page asks for, without the page. */
export async function newAccount(email: string, name = 'Ann Lee', password = PASSWORD, origin = shopOrigin()) {
  const account = await callIdentity(origin, 'signUp', { email, password });
  await callIdentity(origin, 'update', { idToken: account.idToken, displayName: name });
  return account;
}

export const signInToAccount = (email: string, password = PASSWORD, origin = shopOrigin()) =>
  callIdentity(origin, 'signInWithPassword', { email, password });

/** The shop's own token for an account, as the pages exchange it after signing in. */
export async function accessTokenOf(email: string, { idToken }: Account, origin = shopOrigin()): Promise<string> {
  const { body } = await putUser(origin, email, idToken);
  return body.token!;
}
