import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import webpack from 'webpack';
import { newIntent, startSandbox } from '../../../embedded/stripe/tests/sandbox';

const POLICY =
  "default-src 'self'; script-src 'self'; frame-src 'self'; connect-src 'self'; style-src 'self'; " +
  "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
const PAGE =
  '<!doctype html><html lang="en"><head><title>Pay</title>' +
  '<meta name="viewport" content="width=device-width"><script src="/v1/sandbox/stripe.js" defer></script>' +
  '<script src="/page.js" defer></script></head><body><div id="root"></div></body></html>';

async function bundleCardForm(): Promise<string> {
  const path = mkdtempSync(join(tmpdir(), 'card-page-'));
  const compiler = webpack({
    mode: 'development',
    devtool: false,
    context: join(__dirname, '../../..'),
    entry: join(__dirname, 'cardForm.mjs'),
    output: { path, filename: 'page.js' },
  });
  await new Promise<void>((resolve, reject) => {
    compiler.run((error, stats) =>
      error || stats?.hasErrors() ? reject(error ?? new Error(stats?.toString())) : resolve(),
    );
  });
  return readFileSync(join(path, 'page.js'), 'utf8');
}

/** Serves the sandbox and a page of Stripe's React components, under a Content Security Policy like the shop's. */
export async function startCardPage() {
  const script = await bundleCardForm();
  const sandbox = await startSandbox({
    pages: (app) => {
      app.get('/', (_, reply) => reply.type('text/html').header('content-security-policy', POLICY).send(PAGE));
      app.get('/page.js', (_, reply) => reply.type('text/javascript').send(script));
      app.get('/favicon.ico', (_, reply) => reply.code(204).send());
    },
  });

  async function openCardPage(browser: Browser, options: { query?: string; width?: number } = {}) {
    const context = await browser.newContext({ viewport: { width: options.width ?? 800, height: 640 } });
    const page = await context.newPage();
    const problems = collectProblems(page, sandbox.origin);
    const intent = await newIntent(sandbox.stripe, 240_000);
    await page.goto(`${sandbox.origin}/?secret=${intent.client_secret}${options.query ?? ''}`);
    const card = page.frameLocator('iframe[title="Secure card payment input frame"]');
    await card.locator('[name=cardnumber]:enabled').waitFor();
    const readResult = async () => {
      await page.getByRole('status').filter({ hasText: /./ }).waitFor();
      return page.getByRole('status').textContent();
    };
    const fill = async (number: string) => {
      await card.locator('[name=cardnumber]').fill(number);
      await card.locator('[name=exp-date]').fill('12 / 34');
      await card.locator('[name=cvc]').fill('123');
    };
    const readIntentStatus = async () => (await sandbox.stripe.paymentIntents.retrieve(intent.id)).status;
    return {
      page,
      card,
      readResult,
      fill,
      readIntentStatus,
      problems,
      pay: () => page.getByRole('button', { name: 'PAY' }).click(),
    };
  }
  return { ...sandbox, openCardPage };
}

/** Collects exceptions, policy violations, warnings of React and Stripe.js, and requests to other origins. */
function collectProblems(page: Page, origin: string): string[] {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on(
    'console',
    (message) => /Content Security Policy|Stripe\.js@|Warning/.test(message.text()) && problems.push(message.text()),
  );
  page.on('request', (request) => !request.url().startsWith(origin) && problems.push(request.url()));
  return problems;
}
