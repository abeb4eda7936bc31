// `npm run tool -- art [name…]` renders the named pictures, or all of them, and encodes them for the pages. The drawing of
// a tool has the name of its picture and `-lines`. It needs Debian's packages blender and python3-numpy.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLinkPreview } from './linkPreview.mjs';

const artFolder = dirname(fileURLToPath(import.meta.url));
const root = join(artFolder, '../..');
const renderFolder = join(root, '.cache/pictures');
const FONT = 'node_modules/@fontsource/barlow-condensed/files/barlow-condensed-latin-700-normal.woff';
const { SAMPLES = '400' } = process.env;

function runCommand(command, args, options) {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', ...options });
  if (status !== 0) throw new Error(`${command} failed`, { cause: error });
}

function render(name, width) {
  const file = join(renderFolder, `${name}.png`);
  const script = ['-b', '--factory-startup', '--python-use-system-env', '-P', join(artFolder, 'picture.py')];
  runCommand('blender', [...script, '--', name, file, process.env.WIDTH ?? width, SAMPLES], {
    env: { ...process.env, PICTURE_FONT: join(root, FONT) },
  });
  return file;
}

if (!existsSync(join(artFolder, 'node_modules'))) runCommand('npm', ['ci'], { cwd: artFolder });
const { writeDrawing, writePlaceholder, writeFinished, TOOL_SIZES, SCENE_SIZES, WIDE_SIZES } =
  await import('./finish.mjs');
mkdirSync(renderFolder, { recursive: true });

/** The folder, the width and the sizes of the finished pictures. */
const SLIDE_FORMAT = ['slides', '1600', WIDE_SIZES];
const SCENE_FORMAT = ['pages', '1200', SCENE_SIZES];
const FORMAT_BY_FAMILY = {
  bench_slides: SLIDE_FORMAT,
  wall_slides: SLIDE_FORMAT,
  crate_slides: SLIDE_FORMAT,
  closing_slides: SLIDE_FORMAT,
  forging_scenes: SCENE_FORMAT,
  grinding_scenes: SCENE_FORMAT,
  testing_scenes: SCENE_FORMAT,
  packing_scenes: SCENE_FORMAT,
  error_pages: ['pages', '1200', TOOL_SIZES],
};
const requestedNames = process.argv.slice(2);
const isRequested = (name) => requestedNames.length === 0 || requestedNames.includes(name);
const families = JSON.parse(readFileSync(join(artFolder, 'pictures.json'), 'utf8'));
for (const [family, names] of Object.entries(families)) {
  const [folder, width, sizes] = FORMAT_BY_FAMILY[family] ?? ['tools', '1200', TOOL_SIZES];
  const drawings = folder === 'tools' ? names.map((name) => `${name}-lines`) : [];
  for (const name of drawings.filter(isRequested))
    await writeDrawing(render(name, '1280'), join(root, 'public/images/tools', `${name}.webp`));
  for (const name of names.filter(isRequested)) {
    const file = render(name, width);
    await writeFinished(file, join(root, 'public/images', folder, name), sizes);
    if (sizes === WIDE_SIZES) await writePlaceholder(file, join(root, 'src/features/catalog/blurs', `${name}.json`));
  }
}
if (isRequested('link-preview')) await createLinkPreview();
