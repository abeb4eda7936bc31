import { randomUUID } from 'node:crypto';
import type { Locator } from 'playwright-core';
import { findDisplayProblems } from '../../support/assertions';
import { browserFixture, fill, NETWORK_ERROR } from '../../support/browser';
import { query } from '../../support/database';
import { openKeyboard } from '../../support/keyboard';
import { jpegSegment } from '../../support/pictures';
import { signInAsDemoUser } from '../../support/session';
import { newTool } from '../../support/tools';
import { expectEventually } from '../../support/wait';

const fixture = browserFixture();
const addForm = () => fixture.page.getByRole('form', { name: 'Add Product' });
const allTools = () => fixture.page.getByRole('region', { name: 'All tools' });
const rowOf = (name: string) => allTools().getByRole('listitem').filter({ hasText: name });
const linkOf = (within: Locator) => within.getByLabel('Picture link');
const STORED = expect.stringMatching(/^\/picture\/[0-9a-f]{64}$/);
const expectUploaded = (within: Locator) => expectEventually(() => linkOf(within).inputValue(), STORED);

async function openTools() {
  await signInAsDemoUser(fixture.page, 'admin');
  await fixture.page.goto('/dashboard/addproduct');
  await fixture.page.getByText(/^[\d,]+ tools$/).waitFor();
}

interface TestFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** Draws a picture whose left half is red and whose right half is blue, with noise as in a photo. */
async function draw(width: number, height: number, mimeType = 'image/jpeg'): Promise<TestFile> {
  const url = await fixture.page.evaluate(
    ([w, h, type]) => {
      const canvas = document.createElement('canvas');
      canvas.width = w;
      canvas.height = h;
      const context = canvas.getContext('2d')!;
      context.fillStyle = 'blue';
      context.fillRect(0, 0, w, h);
      context.fillStyle = 'red';
      context.fillRect(0, 0, w / 2, h);
      context.fillStyle = 'gray';
      for (let n = 0; n < 20_000; n++) context.fillRect(w / 4 + (Math.random() * w) / 2, Math.random() * h, 9, 9);
      return canvas.toDataURL(type);
    },
    [width, height, mimeType] as const,
  );
  return { name: 'photo.jpg', mimeType, buffer: Buffer.from(url.split(',')[1]!, 'base64') };
}

/** Exif with one entry: orientation 6, which asks for a quarter turn to the right. */
const QUARTER_TURN = Buffer.from('4578696600004d4d002a000000080001011200030000000100060000' + '00000000', 'hex');

/** A photo of 12 megapixels, as a phone that was held upright stores it. */
async function drawPhoto(): Promise<TestFile> {
  const file = await draw(4032, 3024);
  const parts = [file.buffer.subarray(0, 2), jpegSegment(0xe1, QUARTER_TURN), file.buffer.subarray(2)];
  return { ...file, buffer: Buffer.concat(parts) };
}

const choose = (file: TestFile, within = addForm()) => within.getByLabel('Picture file').setInputFiles(file);

/** Drops or pastes a file as the browser does. */
async function transfer(type: 'drop' | 'paste', target: Locator, { name, mimeType, buffer }: TestFile) {
  const base64 = buffer.toString('base64');
  await target.evaluate(
    (element, file) => {
      const bytes = Uint8Array.from(atob(file.base64), (character) => character.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([bytes], file.name, { type: file.mimeType }));
      const options = { bubbles: true, cancelable: true };
      const event =
        file.type === 'drop'
          ? new DragEvent('drop', { ...options, dataTransfer: data })
          : new ClipboardEvent('paste', { ...options, clipboardData: data });
      element.dispatchEvent(event);
    },
    { name, mimeType, base64, type },
  );
}

/** @returns the width that the browser has chosen, and the colors of the upper and the lower edge */
const readPicture = (picture: Locator) =>
  picture.evaluate(async (img: HTMLImageElement) => {
    await img.decode();
    const canvas = document.createElement('canvas');
    const context = canvas.getContext('2d')!;
    context.drawImage(img, 0, 0, 16, 16);
    const colorAt = (y: number) => {
      const [red, , blue] = context.getImageData(8, y, 1, 1).data;
      return red! > blue! ? 'red' : 'blue';
    };
    const width = new URL(img.currentSrc).searchParams.get('w');
    return { width, isHigh: img.naturalHeight > img.naturalWidth, top: colorAt(1), bottom: colorAt(14) };
  });
const UPRIGHT = { isHigh: true, top: 'red', bottom: 'blue' };

const readFiles = (img: string) =>
  query<{ width: number; start: string; size: number }>(
    `select width, encode(substring(bytes for 4), 'escape') as start, octet_length(bytes) as size from pictures
     where hash = $1 order by width`,
    [img.slice('/picture/'.length)],
  );

test("a phone's photo of 12 megapixels becomes an upright picture on the tool's card and everywhere else", async () => {
  await openTools();
  const { page } = fixture;
  const requests = fixture.visitor.requests.length;
  await choose(await drawPhoto());
  await expectUploaded(addForm());
  expect(fixture.visitor.requests.slice(requests).filter((url) => url.endsWith('/picture'))).toHaveLength(1);
  const files = await readFiles(await linkOf(addForm()).inputValue());
  expect(files.map(({ width, start }) => [width, start])).toEqual([384, 768, 1536].map((width) => [width, 'RIFF']));
  expect(files.map(({ size }, n) => size <= [60_000, 120_000, 250_000][n]!)).toEqual([true, true, true]);
  expect(await readPicture(addForm().locator('img'))).toEqual({ ...UPRIGHT, width: '384' });

  const preview = page.locator('figure');
  expect(await readPicture(preview.locator('img[srcset]'))).toEqual({ ...UPRIGHT, width: '384' });
  expect((await preview.locator('a').first().boundingBox())!.height).toBeGreaterThan(100);
  const name = `Photographed ${randomUUID()}`;
  const fields = { Price: '9', 'Minimum order quantity': '1', 'Available quantity': '50', Description: 'A saw.' };
  await fill(page, { Name: name, ...fields });
  await page.getByRole('button', { name: 'Add Product' }).click();
  expect(await readPicture(rowOf(name).locator('img'))).toEqual({ ...UPRIGHT, width: '384' });
  await expectEventually(() => linkOf(addForm()).inputValue(), '');

  await page.goto(`/home?q=${name}`);
  const card = page.getByRole('listitem').filter({ hasText: name });
  expect(await readPicture(card.locator('img'))).toEqual({ ...UPRIGHT, width: '384' });
  await card.getByRole('link', { name: /Purchase/ }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
  expect(await readPicture(page.getByRole('main').locator('img').first())).toMatchObject(UPRIGHT);
});

test('a browser without a WebP encoder uploads JPEG files without the metadata that it writes', async () => {
  await fixture.page.addInitScript(
    (exif) => {
      const { toBlob } = HTMLCanvasElement.prototype;
      HTMLCanvasElement.prototype.toBlob = function (callback, type, quality) {
        if (type === 'image/webp') return toBlob.call(this, callback, 'image/png');
        const withExif = (jpeg: Blob | null) =>
          callback(new Blob([jpeg!.slice(0, 2), Uint8Array.from(exif), jpeg!.slice(2)], { type: 'image/jpeg' }));
        return toBlob.call(this, withExif, type, quality);
      };
    },
    [...jpegSegment(0xe1, QUARTER_TURN)],
  );
  await openTools();
  await choose(await draw(1200, 1600, 'image/png'));
  await expectUploaded(addForm());
  const files = await readFiles(await linkOf(addForm()).inputValue());
  expect(files.map(({ width, start }) => [width, start])).toEqual(
    [384, 768, 1536].map((width) => [width, expect.stringContaining('\\377\\330\\377')]),
  );
});

test('a picture can be dropped or pasted into an open tool, and removed by keyboard', async () => {
  const tool = await newTool();
  await openTools();
  const row = rowOf(tool.name);
  await row.getByRole('button', { name: 'Edit' }).click();
  const file = await draw(600, 500);
  await transfer('drop', row.getByText('Choose a file, drop it here'), file);
  await expectUploaded(row);
  const [keys, remove] = [openKeyboard(fixture.page), row.getByRole('button', { name: 'Remove picture' })];
  await keys.activate(remove);
  await keys.expectFocus(row.getByRole('button', { name: 'Choose a picture' }));
  expect(await linkOf(row).inputValue()).toBe(tool.img);
  await transfer('paste', linkOf(row), file);
  await expectUploaded(row);
  await row.getByRole('button', { name: 'Save' }).click();
  await fixture.page.getByText(`Saved ${tool.name}.`).waitFor();
  const [stored] = await query<{ img: string }>('select img from tools where id = $1', [tool._id]);
  expect(stored!.img).toEqual(STORED);
  expect((await readFiles(stored!.img)).map(({ width }) => width)).toEqual([384, 768, 1536]);
});

test('a file that cannot be used is refused with the reason, on every display', async () => {
  await openTools();
  const { page, visitor } = fixture;
  await choose({ name: 'a.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF') });
  await page.getByText("This file isn't a picture. Choose a JPEG, PNG or WebP file.").waitFor();
  await choose({ name: 'a.heic', mimeType: 'image/heic', buffer: Buffer.from('ftypheic') });
  await page.getByText("We can't read this picture. Save it as JPEG or PNG and choose it again.").waitFor();
  await choose(await draw(2000, 500));
  await page.getByText('This picture is too long. Crop it to at most 3 times its shorter side.').waitFor();
  await choose(await draw(300, 300));
  await page.getByText('This picture is only 300 pixels wide. Choose one with at least 384 pixels.').waitFor();
  expect(await findDisplayProblems(page, 'refused', 'main')).toEqual([]);
  visitor.allowedErrors.push(NETWORK_ERROR);
  const file = await draw(800, 600);
  await visitor.context.setOffline(true);
  await choose(file);
  await page.getByText('You seem to be offline. Check your connection and try again.').waitFor();
  await visitor.context.setOffline(false);
  await choose(file);
  await expectUploaded(addForm());
  expect(await findDisplayProblems(page, 'uploaded', 'main')).toEqual([]);
});
