import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { shopOrigin } from './browser';
import { callShop, putUser } from './calls';

interface Signed {
  localId: string;
  idToken: string;
  refreshToken: string;
  expiresIn: string;
}

export const PASSWORD = 'secret-1';
export const newEmail = () => `person.${randomUUID()}@shop.example`;

async function ask(origin: string, name: string, fields: object): Promise<Signed> {
  const body = { returnSecureToken: true, ...fields };
  const path = `/identitytoolkit.googleapis.com/v1/accounts:${name}?key=any`;
  const answer = await callShop(origin, path, { method: 'POST', body });
  if (answer.status !== 200) throw new Error(`accounts:${name} answered ${answer.status}.`);
  return answer.body as object as Signed;
}

/** What the signup page asks for, without the page. */
export async function newAccount(email: string, name = 'Ann Lee', password = PASSWORD): Promise<Signed> {
  const signed = await ask(shopOrigin(), 'signUp', { email, password });
  await ask(shopOrigin(), 'update', { idToken: signed.idToken, displayName: name });
  return signed;
}

/** Leaves in the page's storage what a login leaves there: the next page is of somebody signed in. */
async function keep(page: Page, origin: string, email: string, signed: Signed): Promise<void> {
  const { localId: uid, idToken, refreshToken, expiresIn } = signed;
  const { body } = await putUser(origin, email, idToken);
  const expirationTime = Date.now() + Number(expiresIn) * 1000;
  const user = {
    uid,
    email,
    emailVerified: false,
    isAnonymous: false,
    stsTokenManager: { refreshToken, accessToken: idToken, expirationTime },
  };
  const kept = { accessToken: body.token!, 'firebase:authUser:forgeline:[DEFAULT]': JSON.stringify(user) };
  await page.goto(`${origin}/robots.txt`);
  await page.evaluate((all) => Object.assign(localStorage, all), kept);
}

/** Somebody new to the shop, signed in without the form. */
export async function comeNew(page: Page, email = newEmail()): Promise<string> {
  await keep(page, shopOrigin(), email, await newAccount(email));
  return email;
}

/** Somebody who has an account, signed in without the form. */
export async function comeBack(page: Page, email: string, password = PASSWORD, origin = shopOrigin()): Promise<void> {
  await keep(page, origin, email, await ask(origin, 'signInWithPassword', { email, password }));
}
