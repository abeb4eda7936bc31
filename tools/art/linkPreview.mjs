// `npm run tool -- art link-preview` draws the preview picture for links to the shop.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { launchChromium } from '../../scripts/chromium.mjs';
import { root } from '../../scripts/install.mjs';

const FONTS = 'node_modules/@fontsource/barlow-condensed/files/barlow-condensed-latin-';
const dataUrl = (type, file) => `url(data:${type};base64,${readFileSync(join(root, file)).toString('base64')})`;
const fontFace = (weight) =>
  `@font-face { font: ${weight} 1em Card; font-family: Card; font-weight: ${weight}; src: ${dataUrl('font/woff2', `${FONTS}${weight}-normal.woff2`)}; }`;

const renderHtml = () => `<style>
${fontFace(600)} ${fontFace(700)}
body { margin: 0; padding: 36px 72px; height: 558px; color: #fff6ee; font: 600 36px/1.2 Card;
  background: linear-gradient(90deg, #0d0a08cc, #0d0a0800 55%), ${dataUrl('image/webp', 'public/images/slides/bench.webp')} -226px 0 / 1440px; }
i { display: block; width: 76px; height: 76px; background: ${dataUrl('image/svg+xml', 'public/icons/favicon.svg')} center / contain; }
b { display: block; margin-top: 4px; font-size: 104px; line-height: 1; }
</style><i></i><b>Forgeline</b>Tools made in one works`;

export async function createLinkPreview() {
  const browser = await launchChromium();
  try {
    const browserPage = await browser.newPage({ viewport: { width: 1200, height: 630 } });
    await browserPage.setContent(renderHtml());
    await browserPage.evaluate(() => globalThis.document.fonts.ready);
    await browserPage.screenshot({ path: join(root, 'public/icons/og.jpg'), type: 'jpeg', quality: 80 });
  } finally {
    await browser.close();
  }
}
