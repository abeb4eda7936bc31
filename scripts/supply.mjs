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

/** Known holes, high or worse, in what is installed. Undefined: nobody could be asked. */
function holesIn(folder) {
  const { vulnerabilities } = parsed(npm(folder, 'audit', '--json', '--audit-level=high'));
  if (!vulnerabilities) return undefined;
  return Object.values(vulnerabilities)
    .filter(({ severity }) => ['high', 'critical'].includes(severity))
    .map(({ name, severity, range }) => `${name} ${range}: ${severity}`);
}

const found = [];
for (const [what, folder] of [
  ['the shop', root],
  ['its tests', join(root, '__tests__')],
]) {
  const holes = holesIn(folder);
  if (!holes) say(`The advisory service does not answer: ${what} was not audited.`);
  else say(`${holes.length} high or critical advisories for ${what}.`);
  found.push(...(holes ?? []));
}

const bill = npm(root, 'sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev');
const { components } = parsed(bill);
if (!components) end('The bill of materials could not be made: is everything installed?');
mkdirSync(join(root, 'dist'), { recursive: true });
writeFileSync(join(root, 'dist/sbom.cdx.json'), bill);
say(`The bill of materials, ${components.length} packages, is dist/sbom.cdx.json.`);
if (found.length > 0) end(found.join('\n'));
