import { SPEC_MESSAGES } from '../../../src/contract/specMessages';
import { browserFixture } from '../../support/browser';
import { CARD_FRAME } from '../../support/checkout';
import { newAccount, newEmail, PASSWORD } from '../../support/customers';
import { openKeyboard } from '../../support/keyboard';
import { expectEventually } from '../../support/wait';
import { waitForPath, nav, waitUntilInteractive } from '../../support/session';
import { CARDS } from '../../support/cards';
import { newTool } from '../../support/tools';

const fixture = browserFixture();
const main = () => fixture.page.getByRole('main');
const field = (label: string) => main().getByLabel(label, { exact: true });
const button = (name: string) => main().getByRole('button', { name, exact: true });
const menu = (name: string) => fixture.page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name });

/** Opens the home page. Tests then open other pages only by their links. */
async function openHomePage() {
  const { page } = fixture;
  await page.goto('/');
  await waitUntilInteractive(page);
  const keys = openKeyboard(page);
  await keys.press('Tab');
  await keys.expectFocus(page.getByRole('link', { name: 'Skip to main content' }));
  return keys;
}

async function logInByKeyboard(keys: ReturnType<typeof openKeyboard>, email: string) {
  await keys.expectPage('Login');
  await keys.typeInto(field('Email'), email);
  await keys.typeInto(field('Password'), PASSWORD);
  await keys.press('Enter');
}

test('a customer can order and pay by keyboard, starting at the home page', async () => {
  const { page } = fixture;
  const email = newEmail();
  const [tool] = await Promise.all([newTool(), newAccount(email)]);
  const keys = await openHomePage();
  await keys.press('Enter');
  await keys.expectFocus(main());
  const { name, minimumOrderQuantity } = tool;
  await keys.typeInto(field('Find a tool'), name);
  await waitForPath(page, `/?${new URLSearchParams({ q: name }).toString()}`);
  const card = main()
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name }) });
  await keys.activate(card.getByRole('link', { name: 'Purchase' }));
  await waitForPath(page, '/login');
  await logInByKeyboard(keys, email);

  await keys.expectPage(name);
  await keys.activate(button('Add one crate'), 'Space');
  await keys.tabTo(field('Quantity'), 'Shift+Tab');
  await keys.type(String(minimumOrderQuantity));
  await keys.typeInto(field('Address'), '18 Foundry Row');
  await keys.typeInto(field('Phone'), '555 0142');
  await keys.tabTo(field('Quantity'), 'Shift+Tab');
  await keys.activate(button('Place order'), 'Space');
  await keys.expectPage('My Orders');
  await keys.activate(main().getByRole('link', { name: 'Pay', exact: true }));

  await keys.expectPage(SPEC_MESSAGES.completePayment);
  const frame = page.frameLocator(CARD_FRAME);
  await button(SPEC_MESSAGES.pay).and(page.locator(':enabled')).waitFor();
  for (const [input, digits] of [
    ['cardnumber', CARDS.pays],
    ['exp-date', '1240'],
    ['cvc', '123'],
    ['postal', '12345'],
  ] as const)
    await keys.typeInto(frame.locator(`[name=${input}]`), digits);
  await keys.activate(button(SPEC_MESSAGES.pay));
  await keys.expectFocus(page.getByRole('heading', { name: SPEC_MESSAGES.paymentCompleted }));
  await main().getByText(SPEC_MESSAGES.paid, { exact: true }).waitFor();
  await keys.activate(main().getByRole('link', { name: 'My Orders' }));
  await keys.expectPage('My Orders');
  await page.getByRole('cell', { name: SPEC_MESSAGES.paid }).waitFor();
  expect(keys.focusProblems).toEqual([]);
});

// Clause A.2.32
test('a new customer can sign up, save a profile, order and sign out by keyboard', async () => {
  const { page } = fixture;
  const keys = await openHomePage();
  await keys.activate(nav(page).getByRole('link', { name: 'Login' }));
  await keys.expectPage('Login');
  await keys.activate(page.getByRole('link', { name: 'Create an account' }));
  await keys.expectPage('Signup');
  await keys.activate(button('Sign up'));
  await keys.expectFocus(field('Name'));
  await keys.type('Ann Lee');
  await keys.typeInto(field('Email'), newEmail());
  await keys.typeInto(field('Password'), PASSWORD);
  await keys.activate(button('Show password'), 'Space');
  await keys.activate(button('Sign up'));
  await keys.expectFocus(main());
  await waitForPath(page, '/');

  await keys.activate(main().getByRole('link', { name: 'Purchase' }).first());
  await field('Quantity').waitFor();
  await keys.expectFocus(main());
  await keys.typeInto(field('Quantity'), '1');
  await keys.typeInto(field('Address'), '18 Foundry Row');
  await keys.typeInto(field('Phone'), '555 0142');
  await keys.activate(button('Ask us for a price'));
  await main()
    .getByText(/^We saved this order/)
    .waitFor();
  await keys.expectFocus(main().getByRole('heading', { name: /^We saved your request [0-9A-F]{8}$/ }));
  await keys.tabTo(nav(page).getByRole('link', { name: 'Dashboard' }), 'Shift+Tab');
  await keys.press('Enter');

  await keys.expectPage('My Profile');
  await keys.typeInto(field('Address'), '18 Foundry Row');
  await keys.activate(button('Save'));
  await keys.expectFocus(field('Phone'));
  await keys.type('555 0142');
  await keys.typeInto(field('LinkedIn'), 'linkedin.example/ann');
  await keys.press('Enter');
  await page.getByText(SPEC_MESSAGES.profileSaved, { exact: true }).waitFor();
  await keys.expectFocus(field('LinkedIn'));

  await keys.tabTo(menu('My Order'), 'Shift+Tab');
  await keys.press('Enter');
  await keys.expectPage('My Orders');
  const dialog = page.getByRole('dialog', { name: SPEC_MESSAGES.areYouSure });
  await keys.activate(button('Delete'));
  await keys.expectFocus(dialog.getByRole('button', { name: 'Keep it' }));
  await keys.press('Escape');
  await keys.expectFocus(button('Delete'));
  await keys.press('Enter');
  await keys.activate(dialog.getByRole('button', { name: 'Delete' }));
  await main().getByText('No orders yet').waitFor();
  await keys.expectPage('My Orders');

  await keys.tabTo(nav(page).getByRole('button', { name: 'Sign out' }), 'Shift+Tab');
  await keys.press('Enter');
  await keys.expectPage('Login');
  expect(keys.focusProblems).toEqual([]);
});

test('after following a link to a section of this or another page, Tab continues from that section', async () => {
  const { page } = fixture;
  await page.goto('/blogs');
  await waitUntilInteractive(page);
  const keys = openKeyboard(page);
  const question = (name: string) => page.getByRole('contentinfo').getByRole('link', { name });
  const follow = async (name: string, anchor: string) => {
    await keys.activate(question(name));
    await page.locator(`#${anchor}:target`).waitFor();
    await keys.press('Tab');
    await keys.expectFocus(page.getByRole('contentinfo').getByRole('link').first());
  };
  await follow('How do I pay?', 'faq-payment');
  await follow('Why is there a minimum order?', 'faq-minimum');
  await page.goBack();
  await expectEventually(() => new URL(page.url()).hash, '#faq-payment');
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'BLOG POSTS' }).waitFor();
});
