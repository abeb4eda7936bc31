import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const BORDER = 'boundaries/dependencies';
const VENDOR = 'no-restricted-imports';

const FORBIDDEN: [file: string, what: string, from: string, rule: string][] = [
  ['src/contract/x.ts', 'TAGS', '../api/tokens', BORDER],
  ['src/ui/x.ts', 'apiSlice', '../api/apiSlice', BORDER],
  ['src/ui/x.ts', 'makeStore', '../app/store', BORDER],
  ['src/api/x.ts', 'theme', '../ui/theme', BORDER],
  ['src/features/orders/x.ts', 'ToolCard', '../catalog/ToolCard', BORDER],
  ['src/features/orders/x.ts', 'makeStore', '../../app/store', BORDER],
  ['src/app/x.ts', 'tools', '../../server/db/schema', BORDER],
  ['server/routes/x.ts', 'toolRoutes', './tools', BORDER],
  ['server/payments/x.ts', 'Deps', '../deps', BORDER],
  ['server/orders/x.ts', 'cancelAttempt', '../payments/attempts', BORDER],
  ['server/auth/x.ts', 'formerOwnerOrders', '../payments/formerOwnerOrders', BORDER],
  ['server/http/x.ts', 'createAccess', '../auth/access', BORDER],
  ['embedded/stripe/x.ts', 'orderRoutes', '../../server/routes/orders', BORDER],
  ['embedded/postgres/x.ts', 'openPool', '../../server/db/database', BORDER],
  ['embedded/stripe/x.ts', 'getSigningKey', '../firebase-auth/signingKeys', BORDER],
  ['embedded/stripe/x.ts', 'firebaseAuthServer', '../firebase-auth', BORDER],
  ['embedded/stripe/schema.ts', 'created', '../../server/db/schema/columns', BORDER],
  ['embedded/stripe/browser/x.ts', 'randomKey', '../../../src/contract/randomKey', BORDER],
  ['embedded/firebase-auth/index.ts', 'LOCK', '../../server/db/advisoryLocks', BORDER],
  ['embedded/firebase-auth/calls/x.ts', 'normalizeEmail', '../../../server/auth/emailAddress', BORDER],
  ['embedded/firebase-auth/x.ts', 'config', '../../scripts/drizzle.config', BORDER],
  ['server/x.ts', 'signIdToken', '../embedded/firebase-auth/idTokens', BORDER],
  ['server/x.ts', 'sandboxEvents', '../embedded/stripe/schema', BORDER],
  ['server/cli/x.ts', 'findBinaries', '../../embedded/postgres/binaries', BORDER],
  ['server/auth/x.ts', 'firebaseAuthServer', '../../embedded/firebase-auth', BORDER],
  ['server/pages/x.ts', 'PUBLISHABLE_KEY', '../../embedded/stripe', BORDER],
  ['server/db/x.ts', 'PROJECT_ID', '../../embedded/firebase-auth', BORDER],
  ['src/features/payment/x.ts', 'PUBLISHABLE_KEY', '../../../embedded/stripe', BORDER],
  ['server/routes/x.ts', 'makeStore', '../../src/app/store', BORDER],
  ['server/routes/x.ts', 'Stripe', 'stripe', VENDOR],
  ['src/features/auth/x.ts', 'getAuth', 'firebase/auth', VENDOR],
  ['src/features/orders/x.ts', 'Elements', '@stripe/react-stripe-js', VENDOR],
];
const ALLOWED: typeof FORBIDDEN = [
  ['src/features/orders/x.ts', 'apiSlice', '../../api/apiSlice', ''],
  ['server/routes/x.ts', 'tools', '../db/schema', ''],
  ['server/routes/x.ts', 'Deps', '../deps', ''],
  ['server/payments/x.ts', 'placeOrder', '../orders/placeOrder', ''],
  ['server/x.ts', 'PUBLISHABLE_KEY', '../embedded/stripe', ''],
  ['server/cli/x.ts', 'removeAccounts', '../../embedded/firebase-auth/index', ''],
  ['server/db/schema/x.ts', 'sandboxEvents', '../../../embedded/stripe/schema', ''],
  ['embedded/stripe/browser/x.ts', 'passesLuhn', '../luhn', ''],
  ['embedded/firebase-auth/calls/x.ts', 'identityKeys', '../schema', ''],
];

test('the borders between the rooms of the house are closed', () => {
  const cases = [...FORBIDDEN, ...ALLOWED];
  const input = cases.map(([file, what, from]) => ({
    file: join(ROOT, file),
    code: `import { ${what} } from '${from}';\n\nexport const used = ${what};\n`,
  }));
  const { stdout, stderr } = spawnSync(process.execPath, [join(ROOT, '__tests__/tooling/lintSources.mjs')], {
    cwd: ROOT,
    input: JSON.stringify(input),
    encoding: 'utf8',
  });
  expect(stderr.replaceAll(/\[boundaries\]\[warning\][^[]*/g, '')).toBe('');
  const broken = JSON.parse(stdout) as string[][];
  const found = cases.map(([file, , from], index) => [file, from, broken[index]]);
  expect(found).toEqual(cases.map(([file, , from, rule]) => [file, from, rule ? [rule] : []]));
});

test('a file of payments imports only files above it in the list of ARCHITECTURE.md, which names all', () => {
  const page = readFileSync(join(ROOT, 'docs/ARCHITECTURE.md'), 'utf8');
  const section = page.slice(page.indexOf('\n## Payments\n'), page.indexOf('\n## A new call'));
  const listed = [...section.matchAll(/^\| `(\w+)\.ts`/gm)].map(([, name]) => name!);
  const folder = join(ROOT, 'server/payments');
  expect([...listed].sort()).toEqual(
    readdirSync(folder)
      .map((file) => file.replace('.ts', ''))
      .sort(),
  );
  for (const [at, name] of listed.entries()) {
    const imported = [...readFileSync(join(folder, `${name}.ts`), 'utf8').matchAll(/from '\.\/(\w+)'/g)].map(
      ([, one]) => one!,
    );
    expect([name, imported.filter((one) => !listed.slice(0, at).includes(one))]).toEqual([name, []]);
  }
});
