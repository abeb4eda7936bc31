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
