import sharp from 'sharp';

const SHADOW_COLOR = [34, 27, 22];
/** Pixels with more alpha belong to the tool. Its edges have less alpha, so all pixels near the tool are kept. */
const TOOL_ALPHA = 170;
const NEAR_ALPHA = 8;
const OPAQUE_ALPHA = 235;
const TOOL_STEP = 5;
const EDGE_STEP = 32;
const EDGE_ALPHA = 125;

const blurChannel = (values, { width, height }, sigma) =>
  sharp(values, { raw: { width, height, channels: 1 } })
    .blur(sigma)
    .toColourspace('b-w')
    .raw()
    .toBuffer();

/** Fewer alpha levels compress better. A shadow needs fine steps, the edge of a tool only a few. */
function quantize(alpha, shadowStep) {
  if (alpha > OPAQUE_ALPHA) return 255;
  const [from, step] = alpha > EDGE_ALPHA ? [EDGE_ALPHA, EDGE_STEP] : [0, shadowStep];
  return from + Math.round((alpha - from) / step) * step;
}

/**
 * WebP compresses alpha without loss, so noise in the shadow would cost many bytes. Smooths the shadow and rounds its
 * alpha to multiples of `step`.
 */
export async function smoothShadow(image, step) {
  const { data, info } = await image.clone().ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const alpha = Uint8Array.from({ length: info.width * info.height }, (_, i) => data[i * 4 + 3]);
  const near = await blurChannel(
    alpha.map((a) => (a > TOOL_ALPHA ? 255 : 0)),
    info,
    1.5,
  );
  const shadowMask = alpha.map((_, i) => (near[i] > NEAR_ALPHA ? 0 : 255));
  const blurredShadow = await blurChannel(
    alpha.map((a, i) => (shadowMask[i] ? a : 0)),
    info,
    3,
  );
  const blurredMask = await blurChannel(shadowMask, info, 3);
  alpha.forEach((a, i) => {
    const smooth = Math.round((255 * blurredShadow[i]) / blurredMask[i]);
    if (shadowMask[i]) data.set([...SHADOW_COLOR, quantize(smooth, step)], i * 4);
    else data[i * 4 + 3] = quantize(a, TOOL_STEP);
  });
  return sharp(data, { raw: { width: info.width, height: info.height, channels: 4 } });
}
