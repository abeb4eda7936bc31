import { PICTURE_WIDTHS } from '../../src/contract/limits';

const chunk = (name: string, data: Buffer) => {
  const header = Buffer.alloc(8);
  header.write(name, 'latin1');
  header.writeUInt32LE(data.length, 4);
  return Buffer.concat([header, data, Buffer.alloc(data.length % 2)]);
};
export const webpOf = (...chunks: Buffer[]) => chunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]));

/** Only the header of the pixels, because the server does not decode them. */
export function losslessChunk(width: number, height: number, bytes = 10): Buffer {
  const data = Buffer.alloc(bytes);
  data[0] = 0x2f;
  data.writeUInt32LE(((height - 1) * 2 ** 14 + width - 1) >>> 0, 1);
  return chunk('VP8L', data);
}
export function lossyChunk(width: number, height: number): Buffer {
  const data = Buffer.from('000000' + '9d012a' + '00000000', 'hex');
  data.writeUInt16LE(width, 6);
  data.writeUInt16LE(height, 8);
  return chunk('VP8 ', data);
}
export function extendedChunk(width: number, height: number): Buffer {
  const data = Buffer.alloc(10);
  data.writeUIntLE(width - 1, 4, 3);
  data.writeUIntLE(height - 1, 7, 3);
  return chunk('VP8X', data);
}
export const otherChunk = (name: string) => chunk(name, Buffer.from('data'));

export const jpegSegment = (marker: number, data: string | Buffer) => {
  const header = Buffer.from([0xff, marker, 0, 0]);
  header.writeUInt16BE(Buffer.byteLength(data) + 2, 2);
  return Buffer.concat([header, Buffer.from(data)]);
};
/** A JPEG file with these segments before its pixels, which contain an escaped byte and a restart marker. */
export function jpegOf(width: number, height: number, ...segments: Buffer[]): Buffer {
  const frame = Buffer.alloc(6);
  frame[0] = 8;
  frame.writeUInt16BE(height, 1);
  frame.writeUInt16BE(width, 3);
  const pixels = Buffer.from('12ff0034ffd056', 'hex');
  const end = [jpegSegment(0xc0, frame), jpegSegment(0xda, 'scan'), pixels, Buffer.from('ffd9', 'hex')];
  return Buffer.concat([Buffer.from('ffd8', 'hex'), ...segments, ...end]);
}

/** The body of POST /picture for a picture four times as wide as 3 times its height. */
export const pictureDraft = (
  fileOf = (width: number, height: number): Buffer => webpOf(losslessChunk(width, height)),
) => Object.fromEntries(PICTURE_WIDTHS.map((width) => [width, fileOf(width, (width * 3) / 4).toString('base64')]));
