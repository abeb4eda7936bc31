import { existsSync, readFileSync } from 'node:fs';
import { scripts } from '../../package.json';
import createConfigurations from '../../webpack.config';

test("the build contains every operator's command of package.json", () => {
  const commands = Object.values(scripts).flatMap(
    (script) => /^node scripts\/command\.mjs (\w+)/.exec(script)?.[1] ?? [],
  );
  const built = Object.keys(createConfigurations({}).find(({ name }) => name === 'server')!.entry as object);
  expect(built).toEqual(expect.arrayContaining(commands.map((name) => `cli/${name}`)));
});

test('the files that CONTRIBUTING.md names for a first change exist', () => {
  const page = readFileSync('CONTRIBUTING.md', 'utf8');
  const named = [...page.matchAll(/`([\w.-]+\/[\w./-]+\.(?:tsx?|mjs))`/g)].map(([, file]) => file!);
  const planned = 'src/features/admin/users/BlockedUsersPage.tsx';
  expect(named.filter((file) => !existsSync(file))).toEqual([planned]);
});
