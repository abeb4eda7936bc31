import { join } from 'node:path';
import { buildIfStale } from '../../scripts/build.mjs';
import { installAll, root } from '../../scripts/install.mjs';

const USAGE = `Usage: npm run tool -- mutate PATH ...              every mutant of these files or folders
       npm run tool -- mutate --sample N --seed S    N mutants at random over all areas
       npm run tool -- mutate --sample N PATH ...    N mutants of these files or folders`;
const PASS_PERCENT = 90;

function readArguments(args) {
  const options = { paths: [], sample: undefined, seed: 1 };
  for (let i = 0; i < args.length; i++) {
    const name = { '--sample': 'sample', '--seed': 'seed' }[args[i]];
    if (name === undefined) options.paths.push(args[i]);
    else if (/^\d{1,9}$/.test(args[i + 1] ?? '')) options[name] = Number(args[++i]);
    else return undefined;
  }
  const hasSelection = options.sample !== undefined || options.paths.length > 0;
  return hasSelection && options.paths.every((path) => !path.startsWith('-')) ? options : undefined;
}

const options = readArguments(process.argv.slice(2));
if (!options) {
  process.stderr.write(`${USAGE}\n`);
  process.exit(2);
}

await installAll();
await buildIfStale();
// Imported only now, because a fresh clone has no packages before `installAll`.
const { chooseMutants } = await import('./mutants.mjs');
const { runMutants } = await import('./run.mjs');
const { AREAS, areaOf } = await import('./areas.mjs');

function printAreas(mutants, survivors) {
  for (const area of AREAS) {
    const countIn = (list) => list.filter(({ file }) => areaOf(file) === area).length;
    const all = countIn(mutants);
    if (all > 0) process.stdout.write(`${area.name}: ${all} mutants, ${all - countIn(survivors)} caught\n`);
  }
}

const mutants = await chooseMutants(root, options);
if (mutants.length === 0) {
  process.stderr.write('No mutants found. Pass files or folders in src, server or embedded that have tests.\n');
  process.exit(2);
}
const { survivors, timeouts } = await runMutants(root, mutants, (line) => process.stdout.write(`${line}\n`));

for (const { file, line, column, mutator, original, replacement, reachedBy } of survivors) {
  const place = `${join(file)}:${line}:${column}`;
  process.stdout.write(
    `survived  ${place}  ${mutator}  ${original}  ->  ${replacement}  (reached by ${reachedBy} test files)\n`,
  );
}
printAreas(mutants, survivors);
process.stdout.write(`${timeouts} mutants were caught only by a timeout.\n`);
const caught = mutants.length - survivors.length;
const score = Math.floor((caught / mutants.length) * 100);
process.stdout.write(`${mutants.length} mutants, ${caught} caught, score ${score} %\n`);
process.exit(score < PASS_PERCENT ? 1 : 0);
