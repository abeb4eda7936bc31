import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createInterface } from 'node:readline';
import { createIsolatedEnvironment } from '../../lib/isolatedEnvironment.mjs';
import { root } from '../../../scripts/install.mjs';
import { onCleanUp } from './cleanUp.mjs';
import { THIS_MACHINE } from './machines.mjs';
import { loadTestKit } from '../../lib/testKit.mjs';
import { formatList } from './report.mjs';

const READY_LINE = /^Forgeline is ready at /m;
const KEPT_LOG_CHARACTERS = 4_000;
const UNEXPECTED_ERROR = /"level":(50|60).*"msg":"(?!background task failed|disk almost full)/;

const DEFAULT_SETTINGS = { DEMO: 'on', RATE_LIMIT: 'off', LOG_LEVEL: 'warn', MAX_UNPAID_ORDERS: '10000' };

/**
 * Creates a controller for the built server in its own process. A restart uses the same port.
 * @param machine where the server runs, by default this one
 */
export async function createShop(env, flags = [], machine = THIS_MACHINE) {
  const { address, ports, inMachine } = machine;
  const port = ports?.shop ?? (await loadTestKit().freePort());
  const settings = { ...createIsolatedEnvironment(), ...DEFAULT_SETTINGS, PORT: String(port), ...env };
  const origin = `http://${address}:${port}`;
  const shop = { address, port, origin, settings, inMachine, child: undefined, errors: [] };

  shop.isRunning = () => shop.child !== undefined && shop.child.exitCode === null && shop.child.signalCode === null;
  shop.start = async () => {
    const startedAt = performance.now();
    const [program, ...args] = inMachine([process.execPath, ...flags, join(root, 'dist/server/index.js')]);
    const child = spawn(program, args, { cwd: root, env: settings });
    shop.child = child;
    let text = '';
    await new Promise((resolve, reject) => {
      const readLine = (line) => {
        text = `${text}${line}\n`.slice(-KEPT_LOG_CHARACTERS);
        if (READY_LINE.test(line)) resolve();
        if (UNEXPECTED_ERROR.test(line)) shop.errors.push(line.slice(0, 1500));
      };
      for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', readLine);
      child.once('exit', (code, signal) => reject(new Error(`${text.trim().slice(-600)} [exit ${code ?? signal}]`)));
    });
    return performance.now() - startedAt;
  };
  /** @returns the exit code, or the signal that ended the process */
  shop.stop = async (signal) => {
    if (!shop.isRunning()) return shop.child?.exitCode;
    const exited = once(shop.child, 'exit');
    shop.child.kill(signal);
    const [code, signalName] = await exited;
    return code ?? signalName;
  };
  onCleanUp(() => shop.stop('SIGTERM'));
  return shop;
}

/**
 * Runs a command without blocking this process, because the command may connect to a proxy that runs in this process.
 */
export async function runCommand(shop, name, ...args) {
  const command = shop.inMachine([process.execPath, join(root, 'scripts/command.mjs'), name, ...args]);
  const child = spawn(command[0], command.slice(1), { cwd: root, env: shop.settings });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const [status] = await once(child, 'close');
  return { status, output: output.trim() };
}

/** A payment whose answers were lost is settled by a webhook, or by the sweep within a minute. */
export const SETTLE_TIMEOUT_MS = 75_000;
const DOCTOR_PAUSE_MS = 5_000;

/** Runs the doctor until money and stock add up, and checks that the server logged no unexpected error. */
export async function runDoctor(report, shop, label = 'the doctor') {
  const deadline = performance.now() + SETTLE_TIMEOUT_MS;
  let { status, output } = await runCommand(shop, 'doctor');
  while (status !== 0 && performance.now() < deadline) {
    await sleep(DOCTOR_PAUSE_MS);
    ({ status, output } = await runCommand(shop, 'doctor'));
  }
  report.check(label, output.split('\n').slice(0, 5).join(' | '), 'Money and stock add up.', status === 0);
  report.check('errors in the log', formatList(shop.errors), '0', shop.errors.length === 0);
}
