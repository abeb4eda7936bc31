import { PICTURE_WIDTHS } from '../../src/contract/limits';

export const webpChunk = (name: string, data: Buffer) => {
  const header = Buffer.alloc(8);
  header.write(name, 'latin1');
  header.writeUInt32LE(data.length, 4);
  return Buffer.concat([header, data, Buffer.alloc(data.length % 2)]);
};
export const webpOf = (...chunks: Buffer[]) => webpChunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]));

/** Only the header of the pixels, because the server does not decode them. */
export function losslessChunk(width: number, height: number, bytes = 10): Buffer {
  const data = Buffer.alloc(bytes);
  data[0] = 0x2f;
  data.writeUInt32LE(((height - 1) * 2 ** 14 + width - 1) >>> 0, 1);
  return webpChunk('VP8L', data);
}

export const jpegSegment = (marker: number, data: string | Buffer) => {
  const header = Buffer.from([0xff, marker, 0, 0]);
  header.writeUInt16BE(Buffer.byteLength(data) + 2, 2);
  return Buffer.concat([header, Buffer.from(data)]);
};

/** The body of POST /picture for a picture four times as wide as 3 times its height. */
export const pictureDraft = (
  fileOf = (width: number, height: number): Buffer => webpOf(losslessChunk(width, height)),
) => Object.fromEntries(PICTURE_WIDTHS.map((width) => [width, fileOf(width, (width * 3) / 4).toString('base64')]));
