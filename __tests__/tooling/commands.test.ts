import { scripts } from '../../package.json';
import createConfigurations from '../../webpack.config';

test("the build contains every operator's command of package.json", () => {
  const commands = Object.values(scripts).flatMap(
    (script) => /^node scripts\/command\.mjs (\w+)/.exec(script)?.[1] ?? [],
  );
  const built = Object.keys(createConfigurations({}).find(({ name }) => name === 'server')!.entry as object);
  expect(built).toEqual(expect.arrayContaining(commands.map((name) => `cli/${name}`)));
});
