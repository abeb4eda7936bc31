// npm run pictures -- [name…]: renders what is named, or everything, and finishes it for the page. Needs Debian's blender and python3-numpy.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { card } from './card.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..');
const rough = join(root, '.cache/pictures');
const FONT = 'node_modules/@fontsource/barlow-condensed/files/barlow-condensed-latin-700-normal.woff';
const { SAMPLES = '400' } = process.env;

function run(command, args, options) {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', ...options });
  if (status !== 0) throw new Error(`${command} failed`, { cause: error });
}

function render(name, width) {
  const file = join(rough, `${name}.png`);
  const script = ['-b', '--factory-startup', '--python-use-system-env', '-P', join(here, 'picture.py')];
  run('blender', [...script, '--', name, file, process.env.WIDTH ?? width, SAMPLES], {
    env: { ...process.env, PICTURE_FONT: join(root, FONT) },
  });
  return file;
}

if (!existsSync(join(here, 'node_modules'))) run('npm', ['ci'], { cwd: here });
const { blur, finish, TOOL, WIDE } = await import('./finish.mjs');
mkdirSync(rough, { recursive: true });

const SLIDE = ['slides', '1600', WIDE];
const KINDS = { benches: SLIDE, walls: SLIDE, crates: SLIDE, closings: SLIDE, mishaps: ['pages', '1200', TOOL] };
const asked = process.argv.slice(2);
const wanted = (name) => asked.length === 0 || asked.includes(name);
const families = JSON.parse(readFileSync(join(here, 'pictures.json'), 'utf8'));
for (const [family, names] of Object.entries(families)) {
  const [folder, width, sizes] = KINDS[family] ?? ['tools', '1200', TOOL];
  for (const name of names.filter(wanted)) {
    const file = render(name, width);
    await finish(file, join(root, 'public/images', folder, name), sizes);
    if (sizes === WIDE) await blur(file, join(root, 'src/features/catalog/blurs', `${name}.json`));
  }
}
if (wanted('card')) await card();
