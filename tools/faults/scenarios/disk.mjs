import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onCleanUp } from '../lib/cleanUp.mjs';
import { createClient } from '../lib/client.mjs';
import { createTempFolder } from '../lib/tempFolder.mjs';
import { verifyOrders, verifyLists } from '../lib/verifyOrders.mjs';
import { formatList } from '../lib/report.mjs';
import { openScenario, runUnderLoad } from '../lib/scenario.mjs';
import { runDoctor } from '../lib/shopProcess.mjs';
import { waitUntilRecovered } from '../lib/waitUntilRecovered.mjs';

const SIZE_MB = 400;
const CHUNK = Buffer.alloc(1024 * 1024, 1);

function mountSmallDisk() {
  const folder = createTempFolder();
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m,mode=711`, 'tmpfs', folder], { stdio: 'pipe' });
  onCleanUp(() => execFileSync('umount', ['-l', folder]));
  chmodSync(folder, 0o711);
  return folder;
}

/**
 * Fills the disk until only `leaveMb` are free.
 * @returns a function that frees the space again
 */
function fillDisk(folder, leaveMb) {
  const file = join(folder, 'full');
  const { bavail, bsize } = statfsSync(folder);
  const count = Math.floor((bavail * bsize) / CHUNK.length) - leaveMb;
  writeFileSync(file, Buffer.concat(Array(Math.max(0, count)).fill(CHUNK)));
  return () => rmSync(file);
}

async function runOnFullDisk(scenario, leaveMb) {
  const { shop, folder } = scenario;
  const freeSpace = fillDisk(folder, leaveMb);
  const client = createClient(shop.origin);
  await sleep(3_000);
  const statuses = new Set();
  const ledger = await runUnderLoad(scenario, () => sleep(3_000));
  for (let n = 0; n < 5; n++) statuses.add((await client.send('GET', '/tool')).status);
  freeSpace();
  return { ledger, reads: [...statuses].join(', ') };
}

export async function disk({ report, chooseSize, seed }) {
  let folder;
  try {
    folder = mountSmallDisk();
  } catch {
    return report.note('Not run: only root can mount the small file system.');
  }
  const scenario = await openScenario(seed, { DATA_DIR: `${folder}/data` }, folder);
  for (const leaveMb of chooseSize(3, 2) > 2 ? [60, 8, 0] : [60, 0]) {
    const { ledger, reads } = await runOnFullDisk(scenario, leaveMb);
    const placed = ledger.entries.filter(({ acknowledged }) => acknowledged.has('placed')).length;
    report.check(`${leaveMb} MB left: orders accepted`, placed, '0', placed === 0);
    report.check('statuses of GET /tool while the disk is full', reads, '200', reads === '200');
    report.checkTimes(
      'time until orders are accepted again once there is free space',
      [await waitUntilRecovered(scenario)],
      10_000,
    );
    scenario.lost.push(...(await verifyOrders(scenario.client, ledger.touched)));
  }
  const { shop, client, people, entries, lost, unexpectedResponses } = scenario;
  report.check(`lost orders (of ${entries.length})`, formatList(lost), '0', lost.length === 0);
  report.check(
    'unexpected responses besides 429, 503 and 507',
    formatList(unexpectedResponses),
    '0',
    unexpectedResponses.length === 0,
  );
  const listProblems = await verifyLists(client, people, entries);
  report.check('orders listed twice, unknown or missing', formatList(listProblems), '0', listProblems.length === 0);
  await runDoctor(report, shop);
}
