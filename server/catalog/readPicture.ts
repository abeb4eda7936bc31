import { isJpegMetadata, listJpegSegments } from '../../src/contract/jpegSegments';

export interface PictureFile {
  width: number;
  height: number;
  /** Whether the file has anything but pixels and a color profile. */
  hasMetadata: boolean;
}

const isJpeg = (bytes: Buffer) => bytes.readUInt16BE(0) === 0xffd8;
/** @returns the type of a stored picture */
export const pictureTypeOf = (bytes: Buffer) => (isJpeg(bytes) ? 'image/jpeg' : 'image/webp');

const END_OF_IMAGE = 0xd9;
/** Baseline and progressive, which browsers show. */
const FRAMES = [0xc0, 0xc2];
/** Huffman tables, quantization tables, restart interval, scan. */
const PIXEL_SEGMENTS = [0xc4, 0xdb, 0xdd, 0xda];
const FRAME_BYTES = 10;

function readJpeg(bytes: Buffer): PictureFile | undefined {
  const segments = listJpegSegments(bytes);
  const last = segments.pop();
  if (last?.marker !== END_OF_IMAGE || last.end !== bytes.length) return undefined;
  const others = segments.filter((segment) => !isJpegMetadata(bytes, segment));
  const hasMetadata = others.length < segments.length;
  const [frame, ...moreFrames] = others.filter(({ marker }) => FRAMES.includes(marker));
  const isKnown = ({ marker }: { marker: number }) =>
    FRAMES.includes(marker) || PIXEL_SEGMENTS.includes(marker) || marker >= 0xe0;
  if (!frame || frame.end - frame.start < FRAME_BYTES || moreFrames.length > 0 || !others.every(isKnown))
    return undefined;
  return { width: bytes.readUInt16BE(frame.start + 7), height: bytes.readUInt16BE(frame.start + 5), hasMetadata };
}

const CHUNK_HEADER_BYTES = 8;
const WEBP_HEADER_BYTES = 12;
const METADATA_CHUNKS = ['EXIF', 'XMP '];
const LOSSY = 'VP8 ';
const LOSSLESS = 'VP8L';
const EXTENDED = 'VP8X';
const KNOWN_CHUNKS = [LOSSY, LOSSLESS, EXTENDED, 'ALPH', 'ICCP', ...METADATA_CHUNKS];

interface Chunk {
  name: string;
  data: Buffer;
}

/** @returns undefined if the chunks do not fill the file */
function listChunks(bytes: Buffer): Chunk[] | undefined {
  if (bytes.readUInt32LE(4) !== bytes.length - CHUNK_HEADER_BYTES) return undefined;
  const chunks: Chunk[] = [];
  let at = WEBP_HEADER_BYTES;
  while (at + CHUNK_HEADER_BYTES <= bytes.length) {
    const [from, length] = [at + CHUNK_HEADER_BYTES, bytes.readUInt32LE(at + 4)];
    chunks.push({ name: bytes.toString('latin1', at, at + 4), data: bytes.subarray(from, from + length) });
    at = from + length + (length % 2);
  }
  return at === bytes.length ? chunks : undefined;
}

const START_CODE = 0x9d012a;
const LOSSLESS_SIGNATURE = 0x2f;
const SIDE_BITS = 0x3fff;

function readFrame({ name, data }: Chunk): { width: number; height: number } | undefined {
  if (data.length < 10) return undefined;
  if (name === EXTENDED) return { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 };
  if (name === LOSSY) {
    if (data.readUIntBE(3, 3) !== START_CODE) return undefined;
    return { width: data.readUInt16LE(6) & SIDE_BITS, height: data.readUInt16LE(8) & SIDE_BITS };
  }
  if (data[0] !== LOSSLESS_SIGNATURE) return undefined;
  const sides = data.readUInt32LE(1);
  return { width: (sides & SIDE_BITS) + 1, height: ((sides >>> 14) & SIDE_BITS) + 1 };
}

/** Refuses animations, whose frames could have any number of pixels. */
function readWebp(bytes: Buffer): PictureFile | undefined {
  const chunks = listChunks(bytes);
  if (!chunks?.every(({ name }) => KNOWN_CHUNKS.includes(name))) return undefined;
  const [pixels, ...others] = chunks.filter(({ name }) => name === LOSSY || name === LOSSLESS);
  const frame = pixels && readFrame(pixels);
  if (!frame || others.length > 0) return undefined;
  for (const chunk of chunks.filter(({ name }) => name === EXTENDED)) {
    const canvas = readFrame(chunk);
    if (canvas?.width !== frame.width || canvas.height !== frame.height) return undefined;
  }
  return { ...frame, hasMetadata: chunks.some(({ name }) => METADATA_CHUNKS.includes(name)) };
}

/**
 * Reads the header and the parts of a file, without decoding its pixels.
 * @returns undefined if it is neither WebP nor JPEG
 */
export function readPicture(bytes: Buffer): PictureFile | undefined {
  if (bytes.length < WEBP_HEADER_BYTES) return undefined;
  if (isJpeg(bytes)) return readJpeg(bytes);
  const isWebp = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';
  return isWebp ? readWebp(bytes) : undefined;
}
