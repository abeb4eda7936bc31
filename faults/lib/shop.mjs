import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { cleanEnvironment } from '../../scripts/cleanEnvironment.mjs';
import { root } from '../../scripts/install.mjs';
import { atEnd } from './ending.mjs';
import { testKit } from '../../scripts/testKit.mjs';
import { none } from './report.mjs';

const READY = /^Forgeline is ready at /m;
const KEEP_OF_LOG = 4_000;
const BUG = /"level":(50|60).*"msg":"(?!trouble in the background|less than 128 MB)/;

const OWN = { DEMO: 'on', RATE_LIMIT: 'off', LOG_LEVEL: 'warn', MAX_UNPAID_ORDERS: '10000' };

/** The built server as a process of its own, on a port that it keeps when it is started again. */
export async function shopOf(env, flags = []) {
  const port = await testKit().freePort();
  const settings = { ...cleanEnvironment(), ...OWN, PORT: String(port), ...env };
  const shop = { port, origin: `http://127.0.0.1:${port}`, settings, child: undefined, bugs: [] };

  shop.running = () => shop.child !== undefined && shop.child.exitCode === null && shop.child.signalCode === null;
  shop.start = async () => {
    const began = performance.now();
    const child = spawn(process.execPath, [...flags, join(root, 'dist/server/index.js')], { cwd: root, env: settings });
    shop.child = child;
    let text = '';
    await new Promise((resolve, reject) => {
      const hear = (line) => {
        text = `${text}${line}\n`.slice(-KEEP_OF_LOG);
        if (READY.test(line)) resolve();
        if (BUG.test(line)) shop.bugs.push(line.slice(0, 1500));
      };
      for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', hear);
      child.once('exit', (code, signal) => reject(new Error(`${text.trim().slice(-600)} [exit ${code ?? signal}]`)));
    });
    return performance.now() - began;
  };
  /** Resolves to the exit code, or the signal it died of. */
  shop.end = async (signal) => {
    if (!shop.running()) return shop.child?.exitCode;
    const ended = once(shop.child, 'exit');
    shop.child.kill(signal);
    const [code, by] = await ended;
    return code ?? by;
  };
  atEnd(() => shop.end('SIGTERM'));
  return shop;
}

/** Not the synchronous way: what the command talks to may live in this process. */
export async function commandOf(shop, name, ...args) {
  const child = spawn(process.execPath, [join(root, 'scripts/command.mjs'), name, ...args], {
    cwd: root,
    env: shop.settings,
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));
  const [status] = await once(child, 'close');
  return { status, said: said.trim() };
}

/** The auditor's word on money and stock, and whether the server itself told of a bug. */
export async function doctor(report, shop, what = 'the doctor') {
  const { status, said } = await commandOf(shop, 'doctor');
  report.line(what, said.split('\n').slice(0, 5).join(' | '), 'Money and stock add up.', status === 0);
  report.line('errors in the log', none(shop.bugs), '0', shop.bugs.length === 0);
}
