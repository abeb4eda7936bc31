import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import subsetFont from 'subset-font';
import { root } from '../scripts/install.mjs';

/** Writes src/ui/fonts, which is in Git, because only a new version of a font changes it. */
const FONTS = { barlow: [400, 600], 'barlow-condensed': [600] };

/** Printable ASCII and Latin-1, and the punctuation and signs that our texts use. */
const RANGES = [
  [0x20, 0x7e],
  [0xa0, 0xff],
];
const SIGNS = 'ŒœŸ–—‘’‚“”„•…‹›€™−✕';
/** Kerning, accents and digits of equal width. Without small capitals and hinting, a font has 13 instead of 22 KB. */
const FEATURES = ['kern', 'mark', 'ccmp', 'tnum', 'lnum'];

const characters = RANGES.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, i) => from + i));
const text = String.fromCodePoint(...characters) + SIGNS;

for (const [family, weights] of Object.entries(FONTS)) {
  const folder = join(root, 'node_modules/@fontsource', family);
  for (const weight of weights) {
    const font = readFileSync(join(folder, `files/${family}-latin-${weight}-normal.woff2`));
    const options = { targetFormat: 'woff2', keepFeatures: FEATURES, noHinting: true };
    const file = `${family}-${weight}.woff2`;
    const subset = await subsetFont(font, text, options);
    writeFileSync(join(root, 'src/ui/fonts', file), subset);
    console.log(`${file}: ${subset.length} bytes`);
  }
}
copyFileSync(join(root, 'node_modules/@fontsource/barlow/LICENSE'), join(root, 'src/ui/fonts/LICENSE.txt'));
