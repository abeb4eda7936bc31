import type { PictureDraft } from '../../../contract/entities';
import { isJpegMetadata, listJpegSegments } from '../../../contract/jpegSegments';
import { PICTURE_WIDTHS } from '../../../contract/limits';
import { MAX_PICTURE_BYTES, MAX_PICTURE_RATIO } from '../../../contract/uploadLimits';
import { UserError } from '../../../contract/problem';

const [SMALLEST, , LARGEST] = PICTURE_WIDTHS;
const NOT_A_PICTURE = "This file isn't a picture. Choose a JPEG, PNG or WebP file.";
const UNREADABLE = "We can't read this picture. Save it as JPEG or PNG and choose it again.";
const TOO_LONG = `This picture is too long. Crop it to at most ${MAX_PICTURE_RATIO} times its shorter side.`;
const TOO_DETAILED = "We can't make this picture small enough. Choose another one.";
const tooSmall = (width: number) =>
  `This picture is only ${width} pixels wide. Choose one with at least ${SMALLEST} pixels.`;

/** The best quality comes first. */
const QUALITIES = [0.86, 0.78, 0.68, 0.55, 0.4, 0.25, 0.1];

/** Decodes a picture and turns it as its metadata says. */
async function decode(file: File): Promise<ImageBitmap> {
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => {
    throw new UserError(file.type.startsWith('image/') ? UNREADABLE : NOT_A_PICTURE);
  });
  const { width, height } = picture;
  if (width < SMALLEST) throw new UserError(tooSmall(width));
  if (Math.max(width / height, height / width) > MAX_PICTURE_RATIO) throw new UserError(TOO_LONG);
  return picture;
}

function scale(source: ImageBitmap | HTMLCanvasElement, width: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = Math.round((source.height * width) / source.width);
  const context = canvas.getContext('2d')!;
  context.imageSmoothingQuality = 'high';
  context.drawImage(source, 0, 0, canvas.width, canvas.height);
  return canvas;
}

const toBlob = (canvas: HTMLCanvasElement, type: string, quality: number) =>
  new Promise<Blob>((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new UserError(UNREADABLE))), type, quality),
  );

/** Safari describes the size of a JPEG file in Exif. */
async function withoutMetadata(jpeg: Blob): Promise<Blob> {
  const bytes = new Uint8Array(await jpeg.arrayBuffer());
  const kept = listJpegSegments(bytes).filter((segment) => !isJpegMetadata(bytes, segment));
  return new Blob([bytes.subarray(0, 2), ...kept.map(({ start, end }) => bytes.subarray(start, end))]);
}

/** JPEG has no transparency, so its background is white. */
async function encodeJpeg(canvas: HTMLCanvasElement, quality: number): Promise<Blob> {
  const context = canvas.getContext('2d')!;
  context.globalCompositeOperation = 'destination-over';
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  return withoutMetadata(await toBlob(canvas, 'image/jpeg', quality));
}

/** A browser that cannot encode WebP, such as Safari, returns PNG instead. */
async function encode(canvas: HTMLCanvasElement, maxBytes: number): Promise<Blob> {
  for (const quality of QUALITIES) {
    const webp = await toBlob(canvas, 'image/webp', quality);
    const blob = webp.type === 'image/webp' ? webp : await encodeJpeg(canvas, quality);
    if (blob.size <= maxBytes) return blob;
  }
  throw new UserError(TOO_DETAILED);
}

const toBase64 = (blob: Blob) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve((reader.result as string).split(',')[1]!);
    reader.onerror = () => reject(new UserError(UNREADABLE));
    reader.readAsDataURL(blob);
  });

/**
 * Turns a picture, scales it to the widths of the shop but never up, and encodes it without metadata.
 * @throws UserError if it is not a picture or does not fit
 */
export async function preparePicture(file: File): Promise<PictureDraft> {
  const picture = await decode(file);
  const large = scale(picture, Math.min(LARGEST, picture.width));
  picture.close();
  const files = await Promise.all(
    PICTURE_WIDTHS.map(async (width) => {
      const canvas = width < large.width ? scale(large, width) : large;
      return [width, await toBase64(await encode(canvas, MAX_PICTURE_BYTES[width]))];
    }),
  );
  return Object.fromEntries(files) as PictureDraft;
}
