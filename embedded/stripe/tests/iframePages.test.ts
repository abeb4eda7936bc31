import { createHash } from 'node:crypto';
import { startSandbox } from '../../../__tests__/support/sandbox';

let sandboxServer: Awaited<ReturnType<typeof startSandbox>>;
beforeAll(async () => void (sandboxServer = await startSandbox()));
afterAll(() => sandboxServer.close());

async function read(name: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${sandboxServer.origin}/v1/sandbox/${name}`, { headers });
  return { status: response.status, header: (key: string) => response.headers.get(key), text: await response.text() };
}

/** @returns the attributes of each element with this tag */
const attributesOf = (html: string, tag: string) =>
  [...html.matchAll(new RegExp(`<${tag}\\b([^>]*)>`, 'g'))].map(([, attributes = '']) =>
    Object.fromEntries(
      [...attributes.matchAll(/([\w-]+)(?:="([^"]*)")?/g)].map(([, name, value]) => [name, value ?? '']),
    ),
  );

test.each([
  ['card', 'Secure card payment input frame'],
  ['challenge', 'Payment authentication (test mode)'],
])('the page %s has a title, its own script and styles, and a policy that allows nothing else', async (name, title) => {
  const { status, header, text } = await read(name);
  expect([status, header('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(text).toMatch(/^<!doctype html><html lang="en"><head><meta charset="utf-8">/);
  expect(/<title>(.*)<\/title>/.exec(text)?.[1]).toBe(title);
  expect(attributesOf(text, 'script')).toEqual([{ src: `/v1/sandbox/${name}.js`, defer: '' }]);
  const style = /<style>([^]+)<\/style>/.exec(text)?.[1] ?? '';
  expect(style).toContain('box-sizing: border-box');
  expect(header('content-security-policy')).toBe(
    "default-src 'none'; script-src 'self'; " +
      `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; ` +
      "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  );
});

test('the card form has labeled inputs that browsers can fill in', async () => {
  const { text } = await read('card');
  const input = (name: string, autocomplete: string, label: string, placeholder: string, inputmode = 'numeric') => ({
    name,
    autocomplete,
    inputmode,
    'aria-label': label,
    placeholder,
    autocorrect: 'off',
    spellcheck: 'false',
    disabled: '',
  });
  expect(attributesOf(text, 'input')).toEqual([
    input('cardnumber', 'cc-number', 'Credit or debit card number', 'Card number'),
    input('exp-date', 'cc-exp', 'Credit or debit card expiration date', 'MM / YY'),
    input('cvc', 'cc-csc', 'Credit or debit card CVC/CVV', 'CVC'),
    input('postal', 'postal-code', 'ZIP or postal code', 'ZIP', 'text'),
  ]);
  expect(text).toMatch(/<body><form><span id="brand"><\/span>(<input [^>]*>){4}<\/form><\/body><\/html>$/);
});

test('the authentication page can pass, fail or be closed', async () => {
  const { text } = await read('challenge');
  expect(attributesOf(text, 'button').map(({ id }) => id)).toEqual(['pass', 'fail', 'close']);
  expect(text).toContain("This is test mode, so no bank is involved and you won't be charged.");
});

test.each(['card', 'challenge', 'stripe.js', 'card.js', 'challenge.js'])(
  'a browser that has %s gets a 304 until it changes',
  async (name) => {
    const first = await read(name);
    const etag = first.header('etag') ?? '';
    expect([first.status, first.header('cache-control')]).toEqual([200, 'no-cache']);
    expect(etag).toBe(`"${createHash('sha256').update(first.text).digest('base64url').slice(0, 24)}"`);
    if (name.endsWith('.js')) expect(first.header('content-type')).toBe('text/javascript; charset=utf-8');
    const unchanged = await read(name, { 'if-none-match': etag });
    expect([unchanged.status, unchanged.header('etag'), unchanged.text]).toEqual([304, etag, '']);
    expect((await read(name, { 'if-none-match': '"old"' })).text).toBe(first.text);
  },
);
