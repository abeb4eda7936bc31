const END_OF_IMAGE = 0xd9;
const START_OF_SCAN = 0xda;
const COMMENT = 0xfe;

/** A marker of a JPEG file with its data. A scan includes the compressed pixels that follow it. */
export interface JpegSegment {
  marker: number;
  start: number;
  end: number;
}

/** Compressed pixels contain FF 00 for a byte FF, and restart markers (FF D0 to FF D7). */
function endOfPixels(bytes: Uint8Array, from: number): number {
  let at = bytes.indexOf(0xff, from);
  while (at !== -1 && (bytes[at + 1] === 0 || (bytes[at + 1]! & 0xf8) === 0xd0)) at = bytes.indexOf(0xff, at + 2);
  return at === -1 ? bytes.length : at;
}

/** In a valid file, the last segment is the end of the image, at the end of the file. */
export function listJpegSegments(bytes: Uint8Array): JpegSegment[] {
  const segments: JpegSegment[] = [];
  for (let start = 2; bytes[start] === 0xff;) {
    const marker = bytes[start + 1]!;
    const length = marker === END_OF_IMAGE ? 0 : bytes[start + 2]! * 256 + bytes[start + 3]!;
    const dataEnd = start + 2 + length;
    const end = marker === START_OF_SCAN ? endOfPixels(bytes, dataEnd) : dataEnd;
    segments.push({ marker, start, end });
    if (marker === END_OF_IMAGE) break;
    start = end;
  }
  return segments;
}

/** What the application segments that describe the pixels begin with. JFIF with more than 18 bytes has a thumbnail. */
const PIXEL_DATA: Record<number, { name: string; maxBytes: number }> = {
  0xe0: { name: 'JFIF\0', maxBytes: 18 },
  0xe2: { name: 'ICC_PROFILE\0', maxBytes: Infinity },
  0xee: { name: 'Adobe', maxBytes: 16 },
};

/** @returns whether the segment is Exif, XMP, IPTC, a comment, a thumbnail or a program's own data */
export function isJpegMetadata(bytes: Uint8Array, { marker, start, end }: JpegSegment): boolean {
  if (marker === COMMENT) return true;
  if (marker < 0xe0 || marker > 0xef) return false;
  const known = PIXEL_DATA[marker];
  if (!known || end - start > known.maxBytes) return true;
  const data = bytes.subarray(start + 4, start + 4 + known.name.length);
  return String.fromCharCode(...data) !== known.name;
}
