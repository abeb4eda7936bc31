import { writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { smoothShadow } from './shadows.mjs';

/**
 * The quality and the maximum size in bytes of each width. `src/ui/Picture.tsx` requests these widths by file name.
 */
export const TOOL_SIZES = {
  400: { avif: [52, 9_500], webp: [54, 10_000] },
  768: { avif: [46, 9_900], webp: [72] },
  1200: { avif: [50], webp: [74] },
};
export const SCENE_SIZES = {
  400: { avif: [56], webp: [74] },
  768: { avif: [56], webp: [74] },
  1200: { avif: [54], webp: [72] },
};
export const WIDE_SIZES = {
  480: { avif: [58], webp: [76] },
  1080: { avif: [58, 29_000], webp: [76] },
  1600: { avif: [58], webp: [72] },
};

const ENCODERS = {
  avif: (image, quality) => image.clone().avif({ quality, effort: 5, chromaSubsampling: '4:2:0' }),
  webp: (image, quality) => image.clone().webp({ quality, effort: 6 }),
};

/**
 * Settings that make a file smaller, ordered from the least visible to the most visible. Each has the step between two
 * alpha levels of the shadow, and by how much the quality is lowered. A step of 1 is invisible, but a step of 4 is not.
 */
const REDUCTIONS = [
  [1, 0],
  [1, 4],
  [2, 4],
  [2, 10],
  [3, 10],
  [3, 18],
  [4, 18],
  [5, 24],
];

async function encode(format, image, quality, maxBytes = Infinity) {
  const bytes = await ENCODERS[format](image, quality).toBuffer();
  return bytes.length <= maxBytes || quality < 30 ? bytes : encode(format, image, quality - 3, maxBytes);
}

/**
 * Encodes a tool as WebP. With `maxBytes`, it uses the first of the `REDUCTIONS` that fits. Otherwise it uses an
 * invisible step of 2.
 */
async function encodeWithShadow(format, image, quality, maxBytes) {
  if (!maxBytes) return encode(format, await smoothShadow(image, 2), quality);
  for (const [step, qualityCut] of REDUCTIONS) {
    const bytes = await ENCODERS[format](await smoothShadow(image, step), quality - qualityCut).toBuffer();
    if (bytes.length <= maxBytes) return bytes;
  }
  throw new Error(`The picture of a tool card does not fit into ${maxBytes} bytes: add a stronger step to REDUCTIONS.`);
}

/** Writes a wide picture with 16 by 7 pixels, small enough to be inlined in the page. */
export async function writePlaceholder(file, dest) {
  const bytes = await sharp(file).resize(16, 7, { fit: 'fill' }).webp({ quality: 30, effort: 6 }).toBuffer();
  await writeFile(dest, `${JSON.stringify(bytes.toString('base64'))}\n`);
}

/** Writes the lines without loss. Their edges would blur in a small lossy file. */
export async function writeDrawing(file, dest) {
  const { size } = await sharp(file).webp({ lossless: true, effort: 6 }).toFile(dest);
  console.log(`${dest}: ${size} bytes`);
}

/** Writes a rendered picture in each width, as `dest-400.avif` and so on. The widest file has no suffix. */
export async function writeFinished(file, dest, sizes) {
  const widths = Object.keys(sizes).map(Number);
  for (const width of widths) {
    const target = width === Math.max(...widths) ? dest : `${dest}-${width}`;
    const image = sharp(file).resize(width);
    for (const [format, [quality, maxBytes]] of Object.entries(sizes[width])) {
      const bytes = await (format === 'webp' && sizes === TOOL_SIZES ? encodeWithShadow : encode)(
        format,
        image,
        quality,
        maxBytes,
      );
      await writeFile(`${target}.${format}`, bytes);
      console.log(`${target}.${format}: ${bytes.length} bytes`);
    }
  }
}
