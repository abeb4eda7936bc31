import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { DEMO_ACCOUNTS, DEMO_PASSWORD } from '../../../src/contract/demo';
import type { Tool } from '../../../src/contract/entities';
import { logFilesIn, openLogFile } from '../../../server/http/logFile';
import { callShop } from '../../support/api';
import { confirmPayment } from '../../support/cards';
import { exchangeIdToken, signInToAccount } from '../../support/customers';
import { startServer, type RunningServer } from '../../support/server';
import { waitUntil } from '../../support/wait';

const folder = mkdtempSync(join(tmpdir(), 'forgeline-explain-'));
const TRACE = '0123456789abcdef0123456789abcdef';
let server: RunningServer;
let customer: { email: string; token: string };

const send = (method: string, path: string, body?: unknown) =>
  callShop(server.origin, path, {
    method,
    token: customer.token,
    body,
    headers: { traceparent: `00-${TRACE}-0123456789abcdef-01` },
  });
const readLog = () => readFileSync(logFilesIn(folder)[1]!, 'utf8');
const codeOf = ({ headers }: { headers: Headers }) => headers.get('x-request-id')!;

async function explain(code: string, files: string[] = [], input = '') {
  const args = ['scripts/command.mjs', 'explain', code, ...files];
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, args, { env: { PATH, HOME, DATA_DIR: folder } });
  child.stdin.end(input);
  const exit = new Promise((resolve) => child.on('close', resolve));
  const [output, errors] = await Promise.all([readText(child.stdout), readText(child.stderr)]);
  return { exit: await exit, output, errors };
}

const orderDraft = (tool: Tool, totalQuantity: number) => ({
  toolId: tool._id,
  productName: tool.name,
  totalQuantity,
  address: '18 Foundry Row',
  phone: '+1 312 555 0199',
});

beforeAll(async () => {
  server = await startServer({ DATA_DIR: folder, LOG_LEVEL: 'debug' });
  const { email } = DEMO_ACCOUNTS.find(({ admin }) => !admin)!;
  const account = await signInToAccount(email, DEMO_PASSWORD, server.origin);
  customer = { email, token: await exchangeIdToken(email, account, server.origin) };
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('npm run explain shows the statements of a payment request and the history of its order', async () => {
  const tools = (await send('GET', '/tool')).body as unknown as Tool[];
  const tool = tools.find(({ onSale, price }) => onSale !== false && price !== null)!;
  const placed = await send('POST', '/order', orderDraft(tool, tool.minimumOrderQuantity));
  const id = placed.body['_id'] as string;
  const totalPrice = tool.price! * tool.minimumOrderQuantity;
  const started = await send('POST', `/create-payment-intent?order=${id}`, { totalPrice });
  const { intentId } = await confirmPayment(server.origin, String(started.body['clientSecret']));
  const paid = await send('PATCH', `/order/${id}`, { order: id, transactionId: intentId });
  expect(paid.status).toBe(200);

  const { exit, output, errors } = await explain(codeOf(paid));
  expect([exit, errors]).toEqual([0, '']);
  expect(output).toMatch(/^\S+Z {2}\S+ {2}PATCH \/order\/:id 200 in [\d.]+ ms {2}user \S+\n( {4}[\d.]+ ms {2}\S.*\n)+/);
  expect(output).toContain(`\nOrder ${id}\n`);
  for (const part of [
    `order placed: ${tool.minimumOrderQuantity} pieces at $${tool.price}`,
    `POST /order 201 (code ${codeOf(placed)})`,
    'payment attempt 1, now succeeded: pi_',
    `payment recorded: $${tool.price! * tool.minimumOrderQuantity}.00, pi_`,
  ])
    expect(output).toContain(part);
  // The background work notices within two seconds that mail is off.
  expect(output).toMatch(/email "payment received" is (queued|not sent)/);
  expect(output).not.toContain(customer.email);
  expect(output).not.toContain('Foundry');

  const explanation = await explain(codeOf(placed));
  expect(explanation.output).toMatch(/ {4}[\d.]+ ms {2}insert orders, insert mails, update tools\n/);
});

test('the value of an invalid trace header is not logged', async () => {
  const headers = { traceparent: '00-not-a-trace\u00ff' };
  const refused = await callShop(server.origin, '/order', { headers });
  const { output } = await explain(codeOf(refused));
  expect(output).toContain('GET /order 401');
  expect(readLog()).not.toContain('not-a-trace');
});

test('neither of the two log files grows beyond the configured limit by more than a tenth', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'forgeline-log-'));
  const file = openLogFile(dataDir, 10_000);
  const sizes = () => logFilesIn(dataDir).map((path) => (existsSync(path) ? statSync(path).size : 0));
  for (let count = 1_000; count < 3_000; count++) {
    file.write(`{"count":${count}}\n`);
    await setImmediate();
    const [older, newer] = sizes();
    expect(Math.max(older!, newer!)).toBeLessThan(11_000);
  }
  await waitUntil(() => sizes().every((size) => size > 0));
  rmSync(dataDir, { recursive: true });
});

test('a log file that cannot be written does not stop the server', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'forgeline-log-'));
  writeFileSync(join(dataDir, 'log'), 'a file instead of a folder');
  const file = openLogFile(dataDir, 100);
  for (let count = 0; count < 20; count++) {
    file.write(`{"count":${count}}\n`);
    await setImmediate();
  }
  expect(readFileSync(join(dataDir, 'log'), 'utf8')).toBe('a file instead of a folder');
  rmSync(dataDir, { recursive: true });
});
