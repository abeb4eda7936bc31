import { sql } from 'drizzle-orm';
import { createPictureCheck, deleteUnusedPictures } from '../../../server/catalog/pictures';
import { toImageLink } from '../../../server/http/imageHosts';
import type { Tool } from '../../../src/contract/entities';
import type { Customer } from '../../support/customers';
import { openOrderTestKit, type OrderTestKit } from '../../support/orders';
import { jpegSegment, losslessChunk, pictureDraft, webpOf, webpChunk } from '../../support/pictures';

const DAY_MS = 24 * 3_600_000;
const UNKNOWN = `/picture/${'0'.repeat(64)}`;

function lossyChunk(width: number, height: number): Buffer {
  const data = Buffer.from('000000' + '9d012a' + '00000000', 'hex');
  data.writeUInt16LE(width, 6);
  data.writeUInt16LE(height, 8);
  return webpChunk('VP8 ', data);
}
function extendedChunk(width: number, height: number): Buffer {
  const data = Buffer.alloc(10);
  data.writeUIntLE(width - 1, 4, 3);
  data.writeUIntLE(height - 1, 7, 3);
  return webpChunk('VP8X', data);
}
const otherChunk = (name: string) => webpChunk(name, Buffer.from('data'));

/** A JPEG file with these segments before its pixels, which contain an escaped byte and a restart marker. */
function jpegOf(width: number, height: number, ...segments: Buffer[]): Buffer {
  const frame = Buffer.alloc(6);
  frame[0] = 8;
  frame.writeUInt16BE(height, 1);
  frame.writeUInt16BE(width, 3);
  const pixels = Buffer.from('12ff0034ffd056', 'hex');
  const end = [jpegSegment(0xc0, frame), jpegSegment(0xda, 'scan'), pixels, Buffer.from('ffd9', 'hex')];
  return Buffer.concat([Buffer.from('ffd8', 'hex'), ...segments, ...end]);
}

let kit: OrderTestKit;
let admin: Customer;
beforeAll(async () => {
  kit = await openOrderTestKit();
  admin = await kit.createCustomer('admin');
});
afterAll(() => kit.close());

const upload = (draft: object) => kit.call<{ img: string }>(admin, 'POST', '/picture', draft);
/** The pixels have a byte of their own, so that this picture is a new one. */
let pictureCount = 0;
async function newPicture() {
  const bytes = 100 + 2 * ++pictureCount;
  const { status, body } = await upload(pictureDraft((width, height) => webpOf(losslessChunk(width, height, bytes))));
  expect([status, body.img]).toEqual([201, expect.stringMatching(/^\/picture\/[0-9a-f]{64}$/)]);
  return body.img;
}
const countRows = async (img: string) =>
  Number(
    (await kit.deps.db.execute(sql`select count(*) from pictures where hash = ${img.slice(9)}`)).rows[0]!['count'],
  );
const edit = (id: string, change: object) => kit.call<Tool>(admin, 'PATCH', `/tool/${id}`, change);

describe('An uploaded picture', () => {
  // Clause C.15.6
  it('is served in each width to anyone, for ever, and with a 304 to those who have it', async () => {
    const draft = pictureDraft((width, height) => jpegOf(width, height));
    const { img } = (await upload(draft)).body;
    for (const width of ['384', '768', '1536']) {
      const response = await fetch(`${kit.origin}${img}?w=${width}`);
      expect(Buffer.from(await response.arrayBuffer()).toString('base64')).toBe(draft[width]);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'image/jpeg',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      });
      const headers = { 'if-none-match': response.headers.get('etag')! };
      expect((await fetch(`${kit.origin}${img}?w=${width}`, { headers })).status).toBe(304);
    }
  });

  it('opens in a tab of its own as the picture, 768 pixels wide', async () => {
    const response = await fetch(kit.origin + (await newPicture()), { headers: { accept: 'text/html,*/*' } });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/webp']);
  });

  it.each([UNKNOWN, '/picture/x', `${UNKNOWN}?w=x`, `${UNKNOWN}?w=99999999999`, '/picture/%00'])(
    'is not found at %s, which is not cached',
    async (path) => {
      const { status, headers } = await kit.call(null, 'GET', path);
      expect([status, headers.get('cache-control')]).toEqual([404, 'no-store']);
    },
  );

  it('is stored once, however often it is uploaded', async () => {
    const paths = await Promise.all([1, 2, 3].map(async () => (await upload(pictureDraft())).body.img));
    expect(new Set(paths).size).toBe(1);
    expect(await countRows(paths[0]!)).toBe(3);
  });

  it('may be narrower than 1,536 pixels, which is then the width of its larger files', async () => {
    const sizes = [...[384, 768, 900].entries()].map(([n, width]) => [[384, 768, 1536][n], width]);
    const draft = Object.fromEntries(
      sizes.map(([name, width]) => [name, webpOf(lossyChunk(width!, width! / 2)).toString('base64')]),
    );
    expect((await upload(draft)).status).toBe(201);
  });

  it('may have a color profile and what describes its pixels', async () => {
    const webp = (width: number, height: number) =>
      webpOf(extendedChunk(width, height), otherChunk('ICCP'), otherChunk('ALPH'), lossyChunk(width, height));
    expect((await upload(pictureDraft(webp))).status).toBe(201);
    const jfif = jpegSegment(0xe0, 'JFIF\0' + '\x01'.repeat(9));
    const [icc, adobe] = [jpegSegment(0xe2, 'ICC_PROFILE\0xx'), jpegSegment(0xee, 'Adobe\0\0\0\0\0\0\0')];
    expect((await upload(pictureDraft((width, height) => jpegOf(width, height, jfif, icc, adobe)))).status).toBe(201);
  });
});

const METADATA = 'must not contain metadata, such as Exif, XMP or comments.';
const TYPE = 'must be a WebP or JPEG file without animation.';
const BOMB = 16_384;
const webpWith = (name: string) => (width: number, height: number) =>
  webpOf(extendedChunk(width, height), losslessChunk(width, height), otherChunk(name));
const jpegWith = (marker: number, data: string) => (width: number, height: number) =>
  jpegOf(width, height, jpegSegment(marker, data));

// Clause C.15.6
it.each<[string, (width: number, height: number) => Buffer, string]>([
  ['an SVG file', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), TYPE],
  ['a PNG file', () => Buffer.from('\x89PNG\r\n\x1a\n'.padEnd(99), 'latin1'), TYPE],
  ['an empty file', () => Buffer.alloc(0), TYPE],
  ['a WebP animation', webpWith('ANMF'), TYPE],
  ['a WebP file with an unknown chunk', webpWith('evil'), TYPE],
  ['a WebP file with two pictures', (w, h) => webpOf(losslessChunk(w, h), losslessChunk(w, h)), TYPE],
  ['a WebP file without pixels', (w, h) => webpOf(extendedChunk(w, h)), TYPE],
  ['a WebP file whose headers differ', (w, h) => webpOf(extendedChunk(BOMB, BOMB), losslessChunk(w, h)), TYPE],
  [
    'a WebP file with something behind it',
    (w, h) => Buffer.concat([webpOf(losslessChunk(w, h)), Buffer.alloc(2)]),
    TYPE,
  ],
  ['a truncated WebP file', (w, h) => webpOf(lossyChunk(w, h)).subarray(0, -2), TYPE],
  ['a WebP file with Exif', webpWith('EXIF'), METADATA],
  ['a WebP file with XMP', webpWith('XMP '), METADATA],
  ['a JPEG file with Exif', jpegWith(0xe1, 'Exif\0\0MM'), METADATA],
  ['a JPEG file with IPTC', jpegWith(0xed, 'Photoshop 3.0\0'), METADATA],
  ['a JPEG file with a comment', jpegWith(0xfe, 'Made by Ann'), METADATA],
  ['a JPEG file with a thumbnail', jpegWith(0xe0, 'JFIF\0'.padEnd(99)), METADATA],
  ['a JPEG file with several pictures', jpegWith(0xe2, 'MPF\0'), METADATA],
  ['a JPEG file with two frames', jpegWith(0xc0, '\x08\0\x10\0\x10\0'), TYPE],
  ['a JPEG file with arithmetic coding', (w, h) => jpegOf(w, h, jpegSegment(0xc9, 'x')), TYPE],
  ['a JPEG file with something behind it', (w, h) => Buffer.concat([jpegOf(w, h), Buffer.from('PK')]), TYPE],
  ['a truncated JPEG file', (w, h) => jpegOf(w, h).subarray(0, -2), TYPE],
])('%s is refused', async (_file, fileOf, message) => {
  const { status, body } = await upload(pictureDraft(fileOf));
  const errors = ['384', '768', '1536'].map((field) => ({ field, message }));
  expect([status, body]).toEqual([422, expect.objectContaining({ code: 'validation', errors })]);
});

const file = (width: number, height: number, bytes?: number) =>
  webpOf(losslessChunk(width, height, bytes)).toString('base64');
it.each([
  ['is too large', { 384: file(384, 288, 60_001) }, '384', 'must have at most 60 KB.'],
  ['is a bomb of pixels', { 1536: file(BOMB, BOMB) }, '1536', 'must be 1536 pixels wide.'],
  [
    'is a high bomb of pixels',
    { 1536: file(1536, BOMB) },
    '1536',
    'must be at most 3 times as high as wide, or as wide as high.',
  ],
  ['is another picture', { 384: file(384, 384) }, '384', 'must have the same proportions as the largest file.'],
  ['has a wrong width', { 768: file(700, 525) }, '768', 'must be 768 pixels wide.'],
  [
    'is narrower than 384 pixels',
    { 384: file(300, 225), 768: file(300, 225), 1536: file(300, 225) },
    '384',
    'must be 384 pixels wide.',
  ],
  ['is missing', { 768: undefined }, '768', 'is required.'],
  ['is unknown', { 100: file(100, 75) }, '100', 'is not an allowed field.'],
])('a picture of which a file %s is refused', async (_problem, files, field, message) => {
  const { status, body } = await upload({ ...pictureDraft(), ...files });
  expect([status, body.errors]).toEqual([422, expect.arrayContaining([{ field, message }])]);
});

it('a body of more than 600 KB is refused', async () => {
  const { status, body } = await upload({ ...pictureDraft(), 1536: 'A'.repeat(600_000) });
  expect([status, body.code]).toEqual([413, 'body_too_large']);
});

describe('The picture of a tool', () => {
  const draft = { name: 'Saw', price: 5, minimumOrderQuantity: 1, availableQuantity: 9, description: 'x' };
  const MISSING = [{ field: 'img', message: "The shop doesn't have this picture. Upload it again." }];

  it('may be an uploaded one, also if its address was copied from the browser', async () => {
    const img = await newPicture();
    const added = await kit.call<Tool>(admin, 'POST', '/tool', { ...draft, img: `${img}?w=384` });
    expect([added.status, added.body.img]).toEqual([201, img]);
    const other = await newPicture();
    expect((await edit(added.body._id, { img: other })).body.img).toBe(other);
    const settings = { publicUrl: 'https://shop.example', imgHosts: undefined };
    expect(toImageLink(`https://shop.example${img}?w=384`, settings)).toBe(img);
    expect(toImageLink(`https://other.example${img}`, settings)).toBe(`https://other.example${img}`);
  });

  it.each([UNKNOWN, '/picture/x', `/x/..${UNKNOWN}`])('cannot be %s', async (img) => {
    const added = await kit.call(admin, 'POST', '/tool', { ...draft, img });
    expect([added.status, added.body.errors]).toEqual([422, MISSING]);
    const { id } = await kit.createTool();
    expect((await edit(id, { img })).body.errors).toEqual(MISSING);
  });

  it('can be imported, unless the shop does not have it', async () => {
    const { id } = await kit.createTool();
    const img = await newPicture();
    const importCsv = (query: string, link: string) =>
      kit.call<{ rows: object[] }>(admin, 'POST', `/tool/import${query}`, `_id,img\n${id},${link}?w=384\n`, {
        'content-type': 'text/csv',
      });
    expect((await importCsv('?dry', UNKNOWN)).body.rows).toEqual([
      expect.objectContaining({ action: 'error', errors: [{ column: 'img', message: MISSING[0]!.message }] }),
    ]);
    expect((await importCsv('', UNKNOWN)).status).toBe(422);
    expect((await importCsv('?dry', img)).body.rows).toEqual([expect.objectContaining({ action: 'change' })]);
    expect((await importCsv('', img)).status).toBe(200);
    expect((await kit.call<Tool>(null, 'GET', `/tool/${id}`)).body.img).toBe(img);
  });
});

describe('A picture that no tool uses', () => {
  const sweepAfter = (ms: number) => deleteUnusedPictures({ ...kit.deps, now: () => new Date(Date.now() + ms) });

  it('is deleted after a day, and a used one a day after it was replaced', async () => {
    const [used, unused] = [await newPicture(), await newPicture()];
    const tool = await kit.createTool({ img: used });
    await sweepAfter(DAY_MS - 60_000);
    expect(await countRows(unused)).toBe(3);
    await sweepAfter(DAY_MS + 60_000);
    expect([await countRows(used), await countRows(unused)]).toEqual([3, 0]);
    await edit(tool.id, { img: '/t.svg' });
    await sweepAfter(2 * DAY_MS - 120_000);
    expect(await countRows(used)).toBe(3);
    await sweepAfter(3 * DAY_MS);
    expect(await countRows(used)).toBe(0);
  });

  it('stays if a tool gets it before or while the sweep runs', async () => {
    const img = await newPicture();
    await kit.deps.db.execute(sql`update pictures set used_at = now() - interval '2 days'`);
    await kit.deps.db.transaction(async (tx) => {
      expect((await createPictureCheck(tx, [img]))(img)).toEqual([]);
      await sweepAfter(0);
    });
    await sweepAfter(0);
    expect(await countRows(img)).toBe(3);
  });
});
