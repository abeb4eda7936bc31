import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../support/server';
import { waitUntil } from '../../support/wait';

const CONF = join(__dirname, '../../../deploy/nginx.conf');
const START_TIMEOUT_MS = 10_000;

/** Tests with nginx run only where nginx and openssl are installed. The project's setup installs neither. */
export const hasNginx = ['nginx -v', 'openssl version'].every((command) => {
  const [program = '', ...args] = command.split(' ');
  return spawnSync(program, args).status === 0;
});

const isOpen = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => (socket.destroy(), resolve(true)));
    socket.on('error', () => resolve(false));
  });

function createCertificate(folder: string): void {
  const outputs = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')];
  const keyOptions = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  execFileSync('openssl', ['req', ...keyOptions, '-subj', '/CN=shop.example', ...outputs], { stdio: 'ignore' });
}

/** Starts nginx with deploy/nginx.conf, free ports, its own certificate and the shop at `shopPort`. */
export async function startNginx(shopPort: number) {
  const folder = mkdtempSync(join(tmpdir(), 'forgeline-nginx-'));
  const [http, https] = [await freePort(), await freePort()];
  createCertificate(folder);
  const conf = readFileSync(CONF, 'utf8')
    .replaceAll(/^\s*listen \[::\].*$/gm, '')
    .replace('listen 80;', `listen 127.0.0.1:${http};`)
    .replace('listen 443 ssl', `listen 127.0.0.1:${https} ssl`)
    .replace('127.0.0.1:3000', `127.0.0.1:${shopPort}`)
    .replaceAll('/etc/letsencrypt/live/shop.example', folder);
  const tempKinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const paths = tempKinds.map((kind) => `${kind}_temp_path ${join(folder, kind)};`).join('\n');
  mkdirSync(join(folder, 'logs'));
  const file = join(folder, 'nginx.conf');
  const events = 'events { worker_connections 64; }';
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const head = `daemon off; worker_processes 1; ${user} pid ${folder}/pid; error_log ${folder}/error.log; ${events}`;
  writeFileSync(file, `${head}\nhttp {\naccess_log off;\n${paths}\n${conf}\n}\n`);
  const configCheck = spawnSync('nginx', ['-t', '-q', '-p', folder, '-c', file], { encoding: 'utf8' });
  if (configCheck.status !== 0) throw new Error(configCheck.stderr);
  const child = spawn('nginx', ['-p', folder, '-c', file], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  await waitUntil(() => isOpen(https), START_TIMEOUT_MS);
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  return { http, https, stop };
}
