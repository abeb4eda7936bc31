import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitWithMessage, root } from '../scripts/install.mjs';

const print = (sentence) => process.stdout.write(`${sentence}\n`);

function npm(folder, ...args) {
  const options = { cwd: folder, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024, shell: process.platform === 'win32' };
  return spawnSync('npm', args, options).stdout ?? '';
}

function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** The statuses with which a registry that only mirrors packages answers a request for advisories. */
const NO_ADVISORY_STATUSES = [404, 405, 501];
/** The exit code for a registry without advisories. An outage of the registry exits with 1. */
const NO_ADVISORIES_EXIT_CODE = 3;

/** @returns the advisories of high or critical severity, or `failed` with the status of the advisory service */
function audit(folder) {
  const { vulnerabilities, statusCode } = parseJson(npm(folder, 'audit', '--json', '--audit-level=high'));
  if (!vulnerabilities) return { failed: true, statusCode };
  const advisories = Object.values(vulnerabilities)
    .filter(({ severity }) => ['high', 'critical'].includes(severity))
    .map(({ name, severity, range }) => `${name} ${range}: ${severity}`);
  return { advisories };
}

function exitNotAudited(label, statusCode) {
  const outcome = statusCode ? `answered ${statusCode}` : 'did not answer';
  const code = NO_ADVISORY_STATUSES.includes(statusCode) ? NO_ADVISORIES_EXIT_CODE : 1;
  exitWithMessage(
    `${label} was not audited: the advisory service ${outcome}. Try again, or skip the audit with --offline.`,
    code,
  );
}

const allAdvisories = [];
const isOffline = process.argv.includes('--offline');
if (isOffline) print('Offline: the packages were not audited for known vulnerabilities.');
const folders = [
  ['The shop', root],
  ['The test folder', join(root, '__tests__')],
];
for (const [label, folder] of isOffline ? [] : folders) {
  const { advisories, failed, statusCode } = audit(folder);
  if (failed) exitNotAudited(label, statusCode);
  print(`${label}: ${advisories.length} high or critical advisories.`);
  allAdvisories.push(...advisories);
}

const sbom = npm(root, 'sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev');
const { components } = parseJson(sbom);
if (!components) exitWithMessage('Could not create the bill of materials. Check that all packages are installed.');
mkdirSync(join(root, 'dist'), { recursive: true });
writeFileSync(join(root, 'dist/sbom.cdx.json'), sbom);
print(`Wrote the bill of materials with ${components.length} packages to dist/sbom.cdx.json.`);
if (allAdvisories.length > 0) exitWithMessage(allAdvisories.join('\n'));
