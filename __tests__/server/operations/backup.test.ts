import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { audit } from '../../../server/doctor/audit';
import { main as backup } from '../../../server/cli/backup';
import { main as restore } from '../../../server/cli/restore';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { cleanUp, removePreparedFolders, postmasterPidOf, copyPreparedFolder } from '../../support/databaseProcess';
import { readAllRows } from './findSecrets';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';
import { startShop } from '../../support/shop';

const folder = mkdtempSync(join(tmpdir(), 'forgeline-backup-'));
const backupFile = join(folder, 'shop.backup');
let shop: PaymentTestKit;
let target: TestDatabase;
let stderr: jest.SpyInstance;

beforeAll(async () => {
  shop = await openPaymentTestKit({ withoutWebhooks: true, env: { DEMO: 'on' } });
  target = await createTestDatabase();
});
beforeEach(() => {
  stderr = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  jest.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await cleanUp();
});
afterAll(async () => {
  removePreparedFolders();
  await shop.close();
  await target.drop();
  rmSync(folder, { recursive: true, force: true });
});

const catalogOf = async (origin: string) =>
  Promise.all(
    ['/tool', '/review'].map(async (path) => Buffer.from(await (await fetch(origin + path)).arrayBuffer()).toString()),
  );

// Clause C.10.11
test('a backup restores every row of the shop into another database', async () => {
  const { customer, order, intentId } = await shop.createChargedOrder();
  expect((await shop.patchOrder(customer, order._id, intentId)).status).toBe(200);
  const { name: productName, id: toolId } = await shop.createTool();
  const address = '18 Foundry Row\u2028Sheffield\u2029England';
  await shop.placeOrder(customer, { productName, toolId, totalQuantity: 20, address });
  expect(await backup([backupFile], shop.database!.env)).toBe(0);
  expect(await restore([backupFile, '--move'], target.env)).toBe(0);
  const rows = await readAllRows(shop.database!.url);
  expect(rows).toMatchObject({ orders: { length: 2 }, payments: { length: 1 } });
  expect(await readAllRows(target.url)).toEqual(rows);
  const restoredShop = await startShop({ connection: target.connection, env: { DEMO: 'on' } });
  try {
    expect(await catalogOf(restoredShop.origin)).toEqual(await catalogOf(shop.origin));
    expect(await audit(restoredShop.deps)).toEqual([]);
    const { $client } = restoredShop.deps.db;
    await $client.query(`insert into reviews (name, description, ratings, img) values ('a', 'b', 5, '/c')`);
  } finally {
    await restoredShop.close();
  }
});

test('a backup has a line for each row, also for programs that end lines at U+2028 and U+2029', () => {
  expect(gunzipSync(readFileSync(backupFile)).toString()).not.toMatch(/[\u2028\u2029]/);
});

test('restore writes only to an empty database', async () => {
  expect(await restore([backupFile], shop.database!.env)).toBe(1);
  expect(stderr).toHaveBeenCalledWith(expect.stringContaining('into an empty one'));
});

test.each([
  ['half of a backup', () => readFileSync(backupFile).subarray(0, readFileSync(backupFile).length >> 1)],
  [
    'a backup without its last lines',
    () => gzipSync(gunzipSync(readFileSync(backupFile)).toString().split('\n').slice(0, -3).join('\n')),
  ],
  [
    'a backup of another version',
    () =>
      gzipSync(
        gunzipSync(readFileSync(backupFile))
          .toString()
          .replace(/"schema":"[^"]+"/, '"schema":"0"'),
      ),
  ],
  ['a file that is not a backup', () => Buffer.from('select 1;')],
  ['a compressed file that is not a backup', () => gzipSync('select 1;')],
])('restore refuses %s and changes nothing', async (_file, content) => {
  const invalidFile = join(folder, 'bad.backup');
  writeFileSync(invalidFile, content());
  const emptyDatabase = await createTestDatabase();
  const rowsBefore = await readAllRows(emptyDatabase.url);
  expect(await restore([invalidFile], emptyDatabase.env)).toBe(1);
  expect(stderr).toHaveBeenCalledWith(expect.stringContaining('Nothing was changed.'));
  expect(await readAllRows(emptyDatabase.url)).toEqual(rowsBefore);
  await emptyDatabase.drop();
});

const expectSingleBackupError = () =>
  expect(stderr).toHaveBeenLastCalledWith(expect.stringMatching(/^No backup was made: [^\n]+\.\n$/));

test('backup reports that its file cannot be written, and stops the database that backup started', async () => {
  const dataDir = await copyPreparedFolder();
  expect(await backup([join(folder, 'missing', 'shop.backup')], { DATA_DIR: dataDir })).toBe(1);
  expectSingleBackupError();
  expect(postmasterPidOf(dataDir)).toBeUndefined();
});

(existsSync('/dev/full') ? test : test.skip)('backup leaves no file behind on a full disk', async () => {
  const fullDiskFile = join(folder, 'full.backup');
  symlinkSync('/dev/full', `${fullDiskFile}.part`);
  expect(await backup([fullDiskFile], shop.database!.env)).toBe(1);
  expectSingleBackupError();
  expect(readdirSync(folder).filter((name) => name.startsWith('full'))).toEqual([]);
});
