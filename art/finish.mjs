import { writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { smoothShadow } from './shadows.mjs';

/** By width: quality, and what the file may weigh at most. The page asks for these widths by name: see src/ui/ownPictures.ts. */
export const TOOL = {
  400: { avif: [52, 9_500], webp: [54, 10_000] },
  768: { avif: [46, 9_900], webp: [72] },
  1200: { avif: [50], webp: [74] },
};
export const WIDE = {
  480: { avif: [58], webp: [76] },
  1080: { avif: [58, 29_000], webp: [76] },
  1600: { avif: [54], webp: [72] },
};

const FORMS = {
  avif: (image, quality) => image.clone().avif({ quality, effort: 5, chromaSubsampling: '4:2:0' }),
  webp: (image, quality) => image.clone().webp({ quality, effort: 6 }),
};

/** What a card gives up to be small: steps of its shadow, in levels of 255 (one is not seen, four are), and quality. */
const CUTS = [
  [1, 0],
  [1, 4],
  [2, 4],
  [2, 10],
  [3, 10],
  [3, 18],
  [4, 18],
  [5, 24],
];

async function packed(form, image, quality, most = Infinity) {
  const bytes = await FORMS[form](image, quality).toBuffer();
  return bytes.length <= most || quality < 30 ? bytes : packed(form, image, quality - 3, most);
}

/** A tool's WebP: a card takes the first of the cuts with which it weighs no more than it may, what is wider one that nobody sees. */
async function shadowed(form, image, quality, most) {
  if (!most) return packed(form, await smoothShadow(image, 2), quality);
  for (const [step, less] of CUTS) {
    const bytes = await FORMS[form](await smoothShadow(image, step), quality - less).toBuffer();
    if (bytes.length <= most) return bytes;
  }
  throw new Error(`a card of more than ${most} bytes`);
}

/** What is seen until a wide picture comes: a hundred pixels of it, small enough to stand in the page. */
export async function blur(file, dest) {
  const bytes = await sharp(file).resize(16, 7, { fit: 'fill' }).webp({ quality: 30, effort: 6 }).toBuffer();
  await writeFile(dest, `${JSON.stringify(bytes.toString('base64'))}\n`);
}

/** A rendered picture in each width: dest-400.avif and so on; the widest has the plain name. */
export async function finish(file, dest, sizes) {
  const widths = Object.keys(sizes).map(Number);
  for (const width of widths) {
    const to = width === Math.max(...widths) ? dest : `${dest}-${width}`;
    const image = sharp(file).resize(width);
    for (const [form, [quality, most]] of Object.entries(sizes[width])) {
      const bytes = await (form === 'webp' && sizes === TOOL ? shadowed : packed)(form, image, quality, most);
      await writeFile(`${to}.${form}`, bytes);
      console.log(`${to}.${form}: ${bytes.length} bytes`);
    }
  }
}
