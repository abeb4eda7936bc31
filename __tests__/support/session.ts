import type { Page } from 'playwright-core';
import { PASSWORD } from './account';
import { fill } from './visitor';

export const nav = (page: Page) => page.getByRole('navigation', { name: 'Main' });
export const alerts = (page: Page) => page.getByRole('main').getByRole('alert');
export const submit = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true });
/** Its scripts are there, and answer: until then a link is a load, and a key is typed into plain HTML. */
export const lives = (page: Page, timeout?: number) => page.locator('footer button:enabled').waitFor({ timeout });
export const isIn = (page: Page, name = 'Ann Lee') => nav(page).getByText(name, { exact: true }).waitFor();
export const isOut = (page: Page) => nav(page).getByRole('link', { name: 'Login' }).waitFor();
export const pathOf = (page: Page) => new URL(page.url()).pathname + new URL(page.url()).search;
export const isAt = (page: Page, path: string) => page.waitForURL((url) => url.pathname + url.search === path);

export async function signUp(page: Page, email: string, name = 'Ann Lee') {
  await page.goto('/signup');
  await fill(page, { Name: name, Email: email, Password: PASSWORD });
  await submit(page, 'Signup').click();
  await isIn(page, name);
}

export async function logIn(page: Page, email: string, password = PASSWORD) {
  await fill(page, { Email: email, Password: password });
  await submit(page, 'Login').click();
}

export async function signOut(page: Page) {
  await nav(page).getByRole('button', { name: 'Sign out' }).click();
  await isOut(page);
}
