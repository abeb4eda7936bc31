import { randomUUID } from 'node:crypto';
import { DEMO_ACCOUNTS } from '../../../src/contract/demo';
import { SPEC_MESSAGES } from '../../../src/contract/specMessages';
import { putUser, shopOrigin } from '../../support/api';
import { browserFixture, scrollUntilPresent } from '../../support/browser';
import { CARD_FRAME } from '../../support/checkout';
import { newAccount, newEmail, PASSWORD } from '../../support/customers';
import { keyboardOf } from '../../support/keyboard';
import { expectEventually } from '../../support/wait';
import { isAt, nav, waitUntilInteractive } from '../../support/session';
import { CARDS } from '../../support/cards';

const fixture = browserFixture();
const main = () => fixture.page.getByRole('main');
const field = (label: string) => main().getByLabel(label, { exact: true });
const button = (name: string) => main().getByRole('button', { name, exact: true });
const menu = (name: string) => fixture.page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name });

/** The home page, once it lives; nothing after it is opened by its address. */
async function begin() {
  const { page } = fixture;
  await page.goto('/');
  await waitUntilInteractive(page);
  const keys = keyboardOf(page);
  await keys.press('Tab');
  await keys.isOn(page.getByRole('link', { name: 'Skip to the content' }));
  return keys;
}

async function logInBy(keys: ReturnType<typeof keyboardOf>, email: string) {
  await keys.arrivesAt('Login');
  await keys.write(field('Email'), email);
  await keys.write(field('Password'), PASSWORD);
  await keys.press('Enter');
}

test('by keyboard alone from the home page to a paid order', async () => {
  const { page } = fixture;
  const email = newEmail();
  await newAccount(email);
  const keys = await begin();
  await keys.press('Enter');
  await keys.isOn(main());
  const card = main()
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: 'Purchase' }) })
    .first();
  const name = await card.getByRole('heading').innerText();
  const fewest = /Minimum Order: (\d+)/.exec(await card.innerText())![1]!;
  await keys.choose(card.getByRole('link', { name: 'Purchase' }));
  await isAt(page, '/login');
  await logInBy(keys, email);

  await keys.arrivesAt(name);
  await keys.write(field('Address'), '18 Foundry Row');
  await keys.write(field('Phone'), '555 0142');
  await keys.write(field('Quantity'), fewest);
  await keys.to(field('Address'), 'Shift+Tab');
  await keys.choose(button('Place order'), 'Space');
  await keys.arrivesAt('My Orders');
  await keys.choose(main().getByRole('link', { name: 'Pay', exact: true }));

  await keys.arrivesAt(SPEC_MESSAGES.completePayment);
  const frame = page.frameLocator(CARD_FRAME);
  await button(SPEC_MESSAGES.pay).and(page.locator(':enabled')).waitFor();
  for (const [part, digits] of [
    ['cardnumber', CARDS.pays],
    ['exp-date', '1240'],
    ['cvc', '123'],
    ['postal', '12345'],
  ] as const)
    await keys.write(frame.locator(`[name=${part}]`), digits);
  await keys.choose(button(SPEC_MESSAGES.pay));
  await keys.isOn(page.getByRole('heading', { name: SPEC_MESSAGES.paymentDone }));
  await main().getByText(SPEC_MESSAGES.paid, { exact: true }).waitFor();
  await keys.choose(main().getByRole('link', { name: 'My Orders' }));
  await keys.arrivesAt('My Orders');
  await page.getByRole('cell', { name: SPEC_MESSAGES.paid }).waitFor();
  expect(keys.unseenStops).toEqual([]);
});

test('by keyboard alone a new customer: account, profile, review, an order deleted after Escape, out', async () => {
  const { page } = fixture;
  const keys = await begin();
  await keys.choose(nav(page).getByRole('link', { name: 'Login' }));
  await keys.arrivesAt('Login');
  await keys.choose(page.getByRole('link', { name: 'Create an account' }));
  await keys.arrivesAt('Signup');
  await keys.choose(button('Signup'));
  await keys.isOn(field('Name'));
  await keys.type('Ann Lee');
  await keys.write(field('Email'), newEmail());
  await keys.write(field('Password'), PASSWORD);
  await keys.choose(button('Show password'), 'Space');
  await keys.choose(button('Signup'));
  await keys.isOn(main());
  await isAt(page, '/');

  await keys.choose(main().getByRole('link', { name: 'Purchase' }).first());
  await field('Quantity').waitFor();
  await keys.isOn(main());
  await keys.write(field('Address'), '18 Foundry Row');
  await keys.write(field('Phone'), '555 0142');
  await keys.write(field('Quantity'), '1');
  await keys.choose(button('Place order'));
  await main()
    .getByText(/^We saved this order/)
    .waitFor();
  await keys.isOn(button('Place order'));
  await keys.to(nav(page).getByRole('link', { name: 'Dashboard' }), 'Shift+Tab');
  await keys.press('Enter');

  await keys.arrivesAt('My Profile');
  await keys.write(field('Address'), '18 Foundry Row');
  await keys.choose(button('Save'));
  await keys.isOn(field('Phone'));
  await keys.type('555 0142');
  await keys.write(field('LinkedIn'), 'linkedin.example/ann');
  await keys.press('Enter');
  await page.getByText(SPEC_MESSAGES.profileSaved, { exact: true }).waitFor();
  await keys.isOn(field('LinkedIn'));

  await keys.to(menu('Add review'), 'Shift+Tab');
  await keys.press('Enter');
  await keys.arrivesAt('Add review');
  await keys.write(field('Description'), 'Solid.');
  await keys.to(field('Ratings'));
  await keys.press('Tab');
  await keys.press('Space');
  for (const _ of '123') await keys.press('ArrowRight');
  await expectEventually(() => field('Ratings').inputValue(), '4');
  await keys.write(field('Photo link'), '/images/people/aiko-tanabe.svg');
  await keys.press('Enter');
  await page.getByText(SPEC_MESSAGES.reviewSaved, { exact: true }).waitFor();
  await keys.isOn(field('Photo link'));

  await keys.to(menu('My Order'), 'Shift+Tab');
  await keys.press('Enter');
  await keys.arrivesAt('My Orders');
  const dialog = page.getByRole('dialog', { name: SPEC_MESSAGES.sure });
  await keys.choose(button('Delete'));
  await keys.isOn(dialog.getByRole('button', { name: 'Cancel' }));
  await keys.press('Escape');
  await keys.isOn(button('Delete'));
  await keys.press('Enter');
  await keys.choose(dialog.getByRole('button', { name: 'Delete' }));
  await main().getByText('No orders yet').waitFor();
  await keys.arrivesAt('My Orders');

  await keys.to(nav(page).getByRole('button', { name: 'Sign out' }), 'Shift+Tab');
  await keys.press('Enter');
  await keys.arrivesAt('Login');
  expect(keys.unseenStops).toEqual([]);
});

test('by keyboard alone an admin: another admin made, a tool added', async () => {
  const { page } = fixture;
  const email = newEmail();
  const { email: admin } = DEMO_ACCOUNTS.find((account) => account.admin)!;
  const { idToken } = await newAccount(email);
  await putUser(shopOrigin(), email, idToken);
  const keys = await begin();
  await keys.choose(nav(page).getByRole('link', { name: 'Login' }));
  await keys.arrivesAt('Login');
  await keys.choose(main().getByRole('button', { name: admin }));
  await keys.to(button('Login'), 'Shift+Tab');
  await keys.press('Enter');
  await keys.isOn(main());
  await keys.to(nav(page).getByRole('link', { name: 'Dashboard' }), 'Shift+Tab');
  await keys.press('Enter');
  await keys.arrivesAt('My Profile');

  await keys.choose(menu('All Users'));
  await keys.arrivesAt('All Users');
  await keys.write(field('Find by email'), email);
  await main().getByRole('row').nth(2).waitFor({ state: 'detached' });
  const promote = main().getByRole('button', { name: /^Make Admin/ });
  const dialog = page.getByRole('dialog', { name: SPEC_MESSAGES.sure });
  await keys.choose(promote);
  await keys.isOn(dialog.getByRole('button', { name: 'Cancel' }));
  await keys.press('Escape');
  await keys.press('Space');
  await keys.choose(dialog.getByRole('button', { name: 'Make Admin' }));
  await page.getByText(SPEC_MESSAGES.adminMade, { exact: true }).waitFor();
  await keys.arrivesAt('All Users');

  await keys.to(menu('Add Product'), 'Shift+Tab');
  await keys.press('Enter');
  await keys.arrivesAt('Add Product');
  const name = `Keyboard hammer ${randomUUID()}`;
  for (const [label, text] of [
    ['Name', name],
    ['Price', '42'],
    ['Minimum order quantity', '20'],
    ['Available quantity', '120'],
    ['Description', 'New.'],
    ['Picture link', '/images/tools/claw-hammer.svg'],
  ] as const)
    await keys.write(field(label), text);
  await keys.press('Enter');
  await page.getByText(SPEC_MESSAGES.toolAdded, { exact: true }).waitFor();
  await keys.isOn(field('Picture link'));

  await keys.to(nav(page).getByRole('link', { name: 'Home' }), 'Shift+Tab');
  await keys.press('Enter');
  await keys.isOn(main());
  await scrollUntilPresent(main().getByRole('heading', { name }));
  expect(keys.unseenStops).toEqual([]);
});

test('a link to an anchor takes the next Tab along, from another page and on the same one, and shows where one is', async () => {
  const { page } = fixture;
  await page.goto('/blogs');
  await waitUntilInteractive(page);
  const keys = keyboardOf(page);
  const question = (name: string) => page.getByRole('contentinfo').getByRole('link', { name });
  const follow = async (name: string, anchor: string) => {
    await keys.choose(question(name));
    await page.locator(`#${anchor}:target`).waitFor();
    await keys.press('Tab');
    await keys.isOn(page.getByRole('contentinfo').getByRole('link').first());
  };
  await follow('How do I pay?', 'faq-payment');
  await follow('Why is there a minimum order?', 'faq-minimum');
  await page.goBack();
  await expectEventually(() => new URL(page.url()).hash, '#faq-payment');
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'BLOG POSTS' }).waitFor();
});
