import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { end, root } from './install.mjs';

const say = (sentence) => process.stdout.write(`${sentence}\n`);

function npm(folder, ...args) {
  const options = { cwd: folder, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024, shell: process.platform === 'win32' };
  return spawnSync('npm', args, options).stdout ?? '';
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** A registry that only mirrors packages has no such path. */
const NO_SERVICE = [404, 405, 501];
/** The exit code that tells a registry without advisories from an outage. */
const REGISTRY_CANNOT_TELL = 3;

/** Known vulnerabilities, high or worse, in what is installed; or why nobody could be asked. */
function audit(folder) {
  const { vulnerabilities, statusCode } = parsed(npm(folder, 'audit', '--json', '--audit-level=high'));
  if (!vulnerabilities) return { failed: true, statusCode };
  const holes = Object.values(vulnerabilities)
    .filter(({ severity }) => ['high', 'critical'].includes(severity))
    .map(({ name, severity, range }) => `${name} ${range}: ${severity}`);
  return { holes };
}

function endUnasked(what, statusCode) {
  const answer = statusCode ? `answered ${statusCode}` : 'did not answer';
  const code = NO_SERVICE.includes(statusCode) ? REGISTRY_CANNOT_TELL : 1;
  end(`${what} was not audited: the advisory service ${answer}. Try again, or skip the audit with --offline.`, code);
}

const found = [];
const isOffline = process.argv.includes('--offline');
if (isOffline) say('Offline: nothing was audited for known vulnerabilities.');
const folders = [
  ['The shop', root],
  ['The folder of its tests', join(root, '__tests__')],
];
for (const [what, folder] of isOffline ? [] : folders) {
  const { holes, failed, statusCode } = audit(folder);
  if (failed) endUnasked(what, statusCode);
  say(`${what}: ${holes.length} high or critical advisories.`);
  found.push(...holes);
}

const bill = npm(root, 'sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev');
const { components } = parsed(bill);
if (!components) end('The bill of materials could not be made: is everything installed?');
mkdirSync(join(root, 'dist'), { recursive: true });
writeFileSync(join(root, 'dist/sbom.cdx.json'), bill);
say(`The bill of materials, ${components.length} packages, is dist/sbom.cdx.json.`);
if (found.length > 0) end(found.join('\n'));
