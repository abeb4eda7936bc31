import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const CLUSTER = join(__dirname, '../../deploy/cluster');
const folder = mkdtempSync(join(tmpdir(), 'forgeline-cluster-'));
const [settingsFile, programs, output] = ['cluster.env', 'bin', 'output'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];
const SETTINGS = {
  NODE: '1',
  NODE_0: '10.0.0.10',
  NODE_1: '10.0.0.11',
  NODE_2: '10.0.0.12',
  NETWORK: '10.0.0.0/24',
  SUPERUSER_PASSWORD: 'superuser1234567',
  REPLICATOR_PASSWORD: 'replicator123456',
  REWINDER_PASSWORD: 'rewinder12345678',
};
const run = promisify(execFile);

beforeEach(() => rmSync(output, { recursive: true, force: true }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs configure.sh as on a machine with this version of Patroni. */
async function configure(changes: Record<string, string> = {}, patroniVersion = '4.0.7') {
  const values = { ...SETTINGS, ...changes };
  writeFileSync(
    settingsFile,
    Object.entries(values)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
  mkdirSync(programs, { recursive: true });
  writeFileSync(join(programs, 'patroni'), `#!/bin/sh\necho patroni ${patroniVersion}\n`, { mode: 0o755 });
  const env = { PATH: `${programs}:${process.env['PATH']}`, POSTGRESQL_BIN: '/usr/lib/postgresql/17/bin' };
  await run('sh', [join(CLUSTER, 'configure.sh'), settingsFile, output], { env });
}
const outputOf = (file: string) => readFileSync(join(output, file), 'utf8');
const withoutComments = (text: string) => text.replaceAll(/^\s*#.*$/gm, '');

test('configure.sh enters every setting of the example and leaves no word in capitals', async () => {
  const example = readFileSync(join(CLUSTER, 'cluster.env.example'), 'utf8');
  expect([...example.matchAll(/^([A-Z_0-9]+)=/gm)].map(([, name]) => name)).toEqual(Object.keys(SETTINGS));
  await configure();
  expect(readdirSync(output).sort()).toEqual(['etcd.env', 'haproxy.cfg', 'patroni.yml']);
  const text = readdirSync(output)
    .map((file) => withoutComments(outputOf(file)))
    .join('');
  expect(text.match(/NODE_\w+|DATA_FOLDER|POSTGRESQL_BIN|NETWORK|\w+_PASSWORD/g)).toBeNull();
  for (const value of Object.values(SETTINGS)) expect(text).toContain(value);
  expect(statSync(join(output, 'patroni.yml')).mode & 0o777).toBe(0o600);
});

test('each machine gets its own name and address, and the addresses of all three', async () => {
  await configure();
  expect(outputOf('etcd.env')).toContain('ETCD_NAME=node1\nETCD_LISTEN_CLIENT_URLS=http://10.0.0.11:2379\n');
  expect(outputOf('etcd.env')).toContain(
    'ETCD_INITIAL_CLUSTER=node0=http://10.0.0.10:2380,node1=http://10.0.0.11:2380,node2=http://10.0.0.12:2380\n',
  );
  expect(outputOf('patroni.yml')).toMatch(/^name: node1$/m);
  expect(outputOf('patroni.yml')).toMatch(/^ {2}bin_dir: \/usr\/lib\/postgresql\/17\/bin$/m);
  expect(outputOf('patroni.yml')).toMatch(/^ {2}listen: 10\.0\.0\.11:5432$/m);
  expect(outputOf('patroni.yml')).toMatch(
    /^etcd3:\n {2}hosts: \[10\.0\.0\.10:2379, 10\.0\.0\.11:2379, 10\.0\.0\.12:2379\]$/m,
  );
  expect(outputOf('haproxy.cfg').match(/server node2 10\.0\.0\.12:5432 check port 8008/g)).toHaveLength(1);
});

test.each([
  ['3.0.2', 'etcd:', true],
  ['3.0.3', 'etcd3:', false],
  ['3.10.0', 'etcd3:', false],
])('with Patroni %s, it uses the API of etcd that loses no order (%s)', async (version, section, usesOldApi) => {
  await configure({}, version);
  expect(outputOf('patroni.yml').match(/^etcd.*$/gm)).toEqual([section]);
  expect(outputOf('etcd.env').includes('ETCD_ENABLE_V2=true')).toBe(usesOldApi);
});

test.each([
  [{ NODE: '3' }, 'NODE in FILE must be 0, 1 or 2.'],
  [{ NODE_2: '' }, 'NODE_2 in FILE must consist of letters, digits and the characters . / : -'],
  [{ NETWORK: '10.0.0.0/24; rm' }, 'NETWORK in FILE must consist of letters, digits and the characters . / : -'],
  [
    { REWINDER_PASSWORD: 'too-short' },
    'REWINDER_PASSWORD in FILE must have at least 16 letters and digits, and nothing else.',
  ],
])('with %j, it writes nothing and says why', async (changes, sentence) => {
  const error = (await configure(changes).catch((reason: unknown) => reason)) as { code: number; stderr: string };
  expect([error.code, error.stderr]).toEqual([1, `${sentence.replace('FILE', settingsFile)} Nothing was written.\n`]);
  expect(() => readdirSync(output)).toThrow(/ENOENT/);
});

const withSystemPrograms = { env: { PATH: `${process.env['PATH']}:/usr/sbin` } };
const hasHaproxy = spawnSync('haproxy', ['-v'], withSystemPrograms).status === 0;

(hasHaproxy ? test : test.skip)('HAProxy accepts the configuration', async () => {
  await configure();
  await expect(run('haproxy', ['-c', '-f', join(output, 'haproxy.cfg')], withSystemPrograms)).resolves.toBeDefined();
});

test('the compose file runs no demo, trusts only the proxy on its machine, publishes no port and has no default password', () => {
  const compose = readFileSync(join(CLUSTER, 'compose.yaml'), 'utf8');
  expect(compose).toContain("TRUST_PROXY: 127.0.0.1/32\n      DEMO: 'off'\n      DEMO_EXPOSED: 'off'\n");
  expect(compose).not.toMatch(/^\s*ports:/m);
  expect(compose.match(/\$\{POSTGRES_PASSWORD[^}]*\}/g)).toEqual(['${POSTGRES_PASSWORD:?Set POSTGRES_PASSWORD}']);
  expect(compose.match(/_IMAGE: .*/g)).toEqual([
    '_IMAGE: ${DEBIAN_IMAGE:?Run deploy/pin-images.sh}',
    '_IMAGE: ${NODE_IMAGE:?Run deploy/pin-images.sh}',
  ]);
});
