import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { audit } from '../../../server/payments/audit';
import { main as backup } from '../../../server/cli/backup';
import { main as restore } from '../../../server/cli/restore';
import { freshDatabase, type TestDatabase } from '../../support/database';
import { cleanUp, forgetPrepared, postmasterOf, usedFolder } from '../../support/databaseProcess';
import { everyRow } from './findSecrets';
import { openPaymentTestKit, type PaymentTestKit } from '../../support/payments';
import { startShop } from '../../support/shop';

const folder = mkdtempSync(join(tmpdir(), 'forgeline-backup-'));
const file = join(folder, 'shop.backup');
let shop: PaymentTestKit;
let elsewhere: TestDatabase;
let said: jest.SpyInstance;

beforeAll(async () => {
  shop = await openPaymentTestKit({ silent: true, env: { DEMO: 'on' } });
  elsewhere = await freshDatabase();
});
beforeEach(() => {
  said = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  jest.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await cleanUp();
});
afterAll(async () => {
  forgetPrepared();
  await shop.close();
  await elsewhere.drop();
  rmSync(folder, { recursive: true, force: true });
});

const at = ({ url }: TestDatabase) => ({ DATABASE_URL: url });
const answers = async (origin: string) =>
  Promise.all(
    ['/tool', '/review'].map(async (path) => Buffer.from(await (await fetch(origin + path)).arrayBuffer()).toString()),
  );

// Clause C.10.11
test('a shop that moves goes out into one file and comes back elsewhere, byte for byte the same', async () => {
  const { who, order, intentId } = await shop.charged();
  expect((await shop.patch(who, order._id, intentId)).status).toBe(200);
  await shop.unpaid({ who });
  expect(await backup([file], at(shop.database!))).toBe(0);
  expect(await restore([file, '--move'], at(elsewhere))).toBe(0);
  const kept = await everyRow(shop.database!.url);
  expect(kept).toMatchObject({ orders: { length: 2 }, payments: { length: 1 } });
  expect(await everyRow(elsewhere.url)).toEqual(kept);
  const other = await startShop({ connection: elsewhere.connection, env: { DEMO: 'on' } });
  try {
    expect(await answers(other.origin)).toEqual(await answers(shop.origin));
    expect(await audit(other.deps)).toEqual([]);
    const { $client } = other.deps.db;
    await $client.query(`insert into reviews (name, description, ratings, img) values ('a', 'b', 5, '/c')`);
  } finally {
    await other.close();
  }
});

test('restore goes into an empty database only', async () => {
  expect(await restore([file], at(shop.database!))).toBe(1);
  expect(said).toHaveBeenCalledWith(expect.stringContaining('into an empty one'));
});

test.each([
  ['half of one', () => readFileSync(file).subarray(0, readFileSync(file).length >> 1)],
  [
    'one that lacks its end',
    () => gzipSync(gunzipSync(readFileSync(file)).toString().split('\n').slice(0, -3).join('\n')),
  ],
  [
    'one of another version',
    () =>
      gzipSync(
        gunzipSync(readFileSync(file))
          .toString()
          .replace(/"schema":"[^"]+"/, '"schema":"0"'),
      ),
  ],
  ['something else', () => Buffer.from('select 1;')],
  ['something else, packed', () => gzipSync('select 1;')],
])('%s is refused and changes nothing', async (_what, content) => {
  const bad = join(folder, 'bad.backup');
  writeFileSync(bad, content());
  const empty = await freshDatabase();
  const asMade = await everyRow(empty.url);
  expect(await restore([bad], at(empty))).toBe(1);
  expect(said).toHaveBeenCalledWith(expect.stringContaining('Nothing was changed.'));
  expect(await everyRow(empty.url)).toEqual(asMade);
  await empty.drop();
});

const sentence = () => expect(said).toHaveBeenLastCalledWith(expect.stringMatching(/^No backup was made: [^\n]+\.\n$/));

test('where no file can be written there is a sentence, and the database that it started is stopped', async () => {
  const dataDir = await usedFolder();
  expect(await backup([join(folder, 'missing', 'shop.backup')], { DATA_DIR: dataDir })).toBe(1);
  sentence();
  expect(postmasterOf(dataDir)).toBeUndefined();
});

(existsSync('/dev/full') ? test : test.skip)('on a disk that is full it leaves nothing behind', async () => {
  const full = join(folder, 'full.backup');
  symlinkSync('/dev/full', `${full}.part`);
  expect(await backup([full], at(shop.database!))).toBe(1);
  sentence();
  expect(readdirSync(folder).filter((name) => name.startsWith('full'))).toEqual([]);
});

test('restore names a DATABASE_URL that cannot be read', async () => {
  await expect(restore([file], { DATABASE_URL: 'postgres://u:pa#ss@h/db' })).rejects.toThrow(/^DATABASE_URL /);
});
