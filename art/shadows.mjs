import sharp from 'sharp';

const SHADOW = [34, 27, 22];
/** What is more opaque than this is the tool; what is near it stays as it is, the tool's edges among it. */
const TOOL = 170;
const NEAR = 8;
const WHOLE = 235;
const TOOL_STEP = 5;
const EDGE_STEP = 32;
const EDGE = 125;

const blurred = (values, { width, height }, sigma) =>
  sharp(values, { raw: { width, height, channels: 1 } })
    .blur(sigma)
    .toColourspace('b-w')
    .raw()
    .toBuffer();

/** Fewer kinds of transparency pack smaller: a shadow has fine steps, a tool's edge needs few. */
function stepped(alpha, fine) {
  if (alpha > WHOLE) return 255;
  const [from, step] = alpha > EDGE ? [EDGE, EDGE_STEP] : [0, fine];
  return from + Math.round((alpha - from) / step) * step;
}

/** WebP packs transparency without loss: a small picture's shadow loses its grain, and what is left of it has steps of so many levels. */
export async function smoothShadow(image, step) {
  const { data, info } = await image.clone().ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const alpha = Uint8Array.from({ length: info.width * info.height }, (_, i) => data[i * 4 + 3]);
  const near = await blurred(
    alpha.map((a) => (a > TOOL ? 255 : 0)),
    info,
    1.5,
  );
  const free = alpha.map((_, i) => (near[i] > NEAR ? 0 : 255));
  const dark = await blurred(
    alpha.map((a, i) => (free[i] ? a : 0)),
    info,
    3,
  );
  const share = await blurred(free, info, 3);
  alpha.forEach((a, i) => {
    const smooth = Math.round((255 * dark[i]) / share[i]);
    if (free[i]) data.set([...SHADOW, stepped(smooth, step)], i * 4);
    else data[i * 4 + 3] = stepped(a, TOOL_STEP);
  });
  return sharp(data, { raw: { width: info.width, height: info.height, channels: 4 } });
}
