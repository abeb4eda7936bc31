import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SPEC_MESSAGES } from '../../../src/contract/specMessages';
import { browserFixture } from '../../support/browser';
import { CARDS } from '../../support/cards';
import { CARD_FRAME } from '../../support/checkout';
import { newAccount, newEmail, PASSWORD } from '../../support/customers';
import { openKeyboard } from '../../support/keyboard';
import { waitForPath, waitUntilInteractive } from '../../support/session';
import { newTool } from '../../support/tools';
import { openAccessibilityTree } from './accessibilityTree';

const FILE = join(__dirname, 'purchaseTranscript.txt');
const fixture = browserFixture(undefined, { timezoneId: 'UTC', locale: 'en-US' });
const main = () => fixture.page.getByRole('main');
const field = (label: string) => main().getByLabel(label, { exact: true });
const button = (name: string) => main().getByRole('button', { name, exact: true });

/** Values that differ from run to run, and their replacements in the transcript. */
const REPLACEMENTS: [RegExp, string][] = [
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID'],
  [/\b[0-9A-F]{8}\b/g, 'CODE'],
  [/\bpi_\w+/g, 'TRANSACTION'],
  [/\b1 of \d+ tools/g, '1 of N tools'],
  [/\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /g, ''],
  [/\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* \d+(?:, \d{4})?/g, 'DATE'],
  [/\d{1,2}:\d{2}(?::\d{2})?(?:\s[AP]M)?/g, 'TIME'],
];

/** Collects what a screen reader reads on each page, and compares it with the stored transcript. */
async function openTranscript() {
  const tree = await openAccessibilityTree(fixture.page);
  const sections: string[] = [];
  return {
    async add(title: string, role = 'main', name?: string) {
      sections.push(`# ${title}`, `Focus: ${await tree.readFocus()}`, await tree.read(role, name), '');
    },
    expectStored() {
      const unified = REPLACEMENTS.reduce(
        (text, [pattern, word]) => text.replaceAll(pattern, word),
        sections.join('\n'),
      );
      const text = unified.replaceAll('\u00a0', ' ');
      if (process.env['WRITE_TRANSCRIPT']) writeFileSync(FILE, text);
      expect(text).toBe(readFileSync(FILE, 'utf8'));
    },
  };
}

// `WRITE_TRANSCRIPT=1 npm test -- browser purchaseTranscript` stores a transcript that changed on purpose.
test('a screen reader reads each page of a purchase as recorded in purchaseTranscript.txt', async () => {
  const { page } = fixture;
  const [email, tool] = [newEmail(), await newTool()];
  await newAccount(email);
  await page.goto('/');
  await waitUntilInteractive(page);
  await page.waitForLoadState('networkidle');
  const keys = openKeyboard(page);
  const transcript = await openTranscript();
  await keys.press('Tab');
  await transcript.add('The first stop of the home page', 'banner');
  await keys.press('Enter');
  await keys.expectFocus(main());

  await keys.typeInto(page.getByLabel('Find a tool'), tool.name);
  await page.locator('#tools').getByRole('status').getByText(/^1 of/).waitFor();
  await transcript.add('A search', 'region', 'Tools');
  await keys.activate(main().getByRole('link', { name: /^Purchase/ }));

  await waitForPath(page, '/login');
  await keys.expectPage('Login');
  await transcript.add('The login page');
  await keys.activate(button('Log in'));
  await keys.expectFocus(field('Email'));
  await transcript.add('The login form with errors', 'form');
  await keys.type(email);
  await keys.typeInto(field('Password'), PASSWORD);
  await keys.press('Enter');

  await keys.expectPage(tool.name);
  await transcript.add('The purchase page');
  await keys.typeInto(field('Address'), '18 Foundry Row');
  await keys.typeInto(field('Phone'), '555 0142');
  await keys.activate(button('Place order'), 'Space');
  await keys.expectPage('My Orders');
  await transcript.add('My Orders');
  await keys.activate(main().getByRole('link', { name: 'Pay', exact: true }));

  await keys.expectPage(SPEC_MESSAGES.completePayment);
  await button(SPEC_MESSAGES.pay).and(page.locator(':enabled')).waitFor();
  await transcript.add('The payment page');
  const frame = page.frameLocator(CARD_FRAME);
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
  await transcript.add('The receipt');
  expect(keys.focusProblems).toEqual([]);
  transcript.expectStored();
});
