import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const MODULE_RULE = 'boundaries/dependencies';
const VENDOR_RULE = 'no-restricted-imports';

const FORBIDDEN: [file: string, name: string, path: string, rule: string][] = [
  ['src/contract/x.ts', 'TAGS', '../api/tokens', MODULE_RULE],
  ['src/api/x.ts', 'theme', '../ui/theme', MODULE_RULE],
  ['src/features/orders/x.ts', 'ToolCard', '../catalog/ToolCard', MODULE_RULE],
  ['src/features/admin/tools/x.ts', 'UserList', '../users/UserList', MODULE_RULE],
  ['src/app/x.ts', 'tools', '../../server/db/schema', MODULE_RULE],
  ['server/payments/x.ts', 'Deps', '../deps', MODULE_RULE],
  ['server/orders/x.ts', 'cancelAttempt', '../payments/attempts', MODULE_RULE],
  ['server/http/x.ts', 'createAccessGuards', '../auth/access', MODULE_RULE],
  ['embedded/stripe/x.ts', 'orderRoutes', '../../server/routes/orders', MODULE_RULE],
  ['embedded/stripe/x.ts', 'createFirebaseAuthServer', '../firebase-auth', MODULE_RULE],
  ['embedded/stripe/browser/x.ts', 'randomKey', '../../../src/contract/randomKey', MODULE_RULE],
  ['server/x.ts', 'signIdToken', '../embedded/firebase-auth/idTokens', MODULE_RULE],
  ['server/pages/x.ts', 'PUBLISHABLE_KEY', '../../embedded/stripe', MODULE_RULE],
  ['src/features/payment/x.ts', 'PUBLISHABLE_KEY', '../../../embedded/stripe', MODULE_RULE],
  ['server/routes/x.ts', 'Stripe', 'stripe', VENDOR_RULE],
  ['src/features/auth/x.ts', 'getAuth', 'firebase/auth', VENDOR_RULE],
  ['src/features/orders/x.ts', 'Elements', '@stripe/react-stripe-js', VENDOR_RULE],
];
const ALLOWED: typeof FORBIDDEN = [
  ['src/features/orders/x.ts', 'apiSlice', '../../api/apiSlice', ''],
  ['server/routes/x.ts', 'tools', '../db/schema', ''],
  ['server/routes/x.ts', 'Deps', '../deps', ''],
  ['server/x.ts', 'PUBLISHABLE_KEY', '../embedded/stripe', ''],
  ['server/db/schema/x.ts', 'sandboxEvents', '../../../embedded/stripe/schema', ''],
  ['embedded/stripe/browser/x.ts', 'passesLuhn', '../luhn', ''],
];

// Clauses B.3, B.4, B.5
test('the linter reports forbidden imports of modules and vendor packages, but no allowed imports', () => {
  const cases = [...FORBIDDEN, ...ALLOWED];
  const input = cases.map(([file, name, path]) => ({
    file: join(ROOT, file),
    code: `import { ${name} } from '${path}';\n\nexport const used = ${name};\n`,
  }));
  const { stdout, stderr } = spawnSync(process.execPath, [join(ROOT, '__tests__/tooling/lintSources.mjs')], {
    cwd: ROOT,
    input: JSON.stringify(input),
    encoding: 'utf8',
  });
  expect(stderr.replaceAll(/\[boundaries\]\[warning\][^[]*/g, '')).toBe('');
  const reportedRules = JSON.parse(stdout) as string[][];
  const found = cases.map(([file, , path], index) => [file, path, reportedRules[index]]);
  expect(found).toEqual(cases.map(([file, , path, rule]) => [file, path, rule ? [rule] : []]));
});
