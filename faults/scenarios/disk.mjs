import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { atEnd } from '../lib/ending.mjs';
import { clientOf } from '../lib/client.mjs';
import { ownFolder } from '../lib/place.mjs';
import { prove, proveLists } from '../lib/proof.mjs';
import { none } from '../lib/report.mjs';
import { openScene, underLoad } from '../lib/scene.mjs';
import { doctor } from '../lib/shop.mjs';
import { works } from '../lib/works.mjs';

const SIZE_MB = 400;
const CHUNK = Buffer.alloc(1024 * 1024, 1);

function smallDisk() {
  const folder = ownFolder();
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m,mode=711`, 'tmpfs', folder], { stdio: 'pipe' });
  atEnd(() => execFileSync('umount', ['-l', folder]));
  chmodSync(folder, 0o711);
  return folder;
}

/** All that is left, but for so much. */
function fill(folder, leaveMb) {
  const file = join(folder, 'full');
  const { bavail, bsize } = statfsSync(folder);
  const count = Math.floor((bavail * bsize) / CHUNK.length) - leaveMb;
  writeFileSync(file, Buffer.concat(Array(Math.max(0, count)).fill(CHUNK)));
  return () => rmSync(file);
}

async function answersOf(scene, leaveMb) {
  const { shop, folder } = scene;
  const free = fill(folder, leaveMb);
  const client = clientOf(shop.origin);
  await sleep(3_000);
  const statuses = new Set();
  const ledger = await underLoad(scene, () => sleep(3_000));
  for (let n = 0; n < 5; n++) statuses.add((await client.send('GET', '/tool')).status);
  free();
  return { ledger, reads: [...statuses].join(', ') };
}

export async function disk({ report, size, seed }) {
  let folder;
  try {
    folder = smallDisk();
  } catch {
    return report.note('Not run: a small file system of its own can only be mounted by root.');
  }
  const scene = await openScene(seed, { DATA_DIR: `${folder}/data` }, folder);
  for (const leaveMb of size(3, 2) > 2 ? [60, 8, 0] : [60, 0]) {
    const { ledger, reads } = await answersOf(scene, leaveMb);
    const placed = ledger.entries.filter(({ is }) => is.has('placed')).length;
    report.line(`${leaveMb} MB left: orders taken`, placed, '0, refused with 507', placed === 0);
    report.line('the catalogue meanwhile', reads, '200', reads === '200');
    report.times('orders are taken again when there is space', [await works(scene)], 10_000);
    scene.lost.push(...(await prove(scene.client, ledger.touched)));
  }
  const { shop, client, people, entries, lost, wrong } = scene;
  report.line(`lost of ${entries.length} orders`, none(lost), '0', lost.length === 0);
  report.line('answers other than what was asked for, 429, 503 and 507', none(wrong), '0', wrong.length === 0);
  const lists = await proveLists(client, people, entries);
  report.line('in the lists twice, by nobody or missing', none(lists), '0', lists.length === 0);
  await doctor(report, shop);
}
