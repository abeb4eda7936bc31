import { createHash } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import type { PictureDraft } from '../../src/contract/entities';
import { PICTURE_WIDTHS } from '../../src/contract/limits';
import { MAX_PICTURE_BYTES, MAX_PICTURE_RATIO } from '../../src/contract/uploadLimits';
import type { Db, Tx } from '../db/database';
import { deleteInBatches, updateInBatches } from '../db/deleteInBatches';
import { pictures, tools } from '../db/schema';
import { addMs, HOUR_MS } from '../db/time';
import { PICTURE_FOLDER } from '../http/imageHosts';
import { invalidFields, type FieldError } from '../http/problems';
import { readPicture, type PictureFile } from './readPicture';

type PictureWidth = (typeof PICTURE_WIDTHS)[number];
interface UploadedFile {
  width: PictureWidth;
  bytes: Buffer;
}

function problemOfFile({ width, bytes }: UploadedFile, file: PictureFile | undefined): string | undefined {
  if (bytes.length > MAX_PICTURE_BYTES[width]) return `must have at most ${MAX_PICTURE_BYTES[width] / 1000} KB.`;
  if (!file) return 'must be a WebP or JPEG file without animation.';
  return file.hasMetadata ? 'must not contain metadata, such as Exif, XMP or comments.' : undefined;
}

/** The largest file has the original's width, if that is less than 1,536 pixels. */
function problemOfSize(width: PictureWidth, file: PictureFile, largest: PictureFile): string | undefined {
  const expected = Math.min(width, largest.width);
  if (file.width !== expected || expected < PICTURE_WIDTHS[0])
    return `must be ${Math.max(expected, PICTURE_WIDTHS[0])} pixels wide.`;
  if (Math.max(file.height / file.width, file.width / file.height) > MAX_PICTURE_RATIO)
    return `must be at most ${MAX_PICTURE_RATIO} times as high as wide, or as wide as high.`;
  const isSameShape = Math.abs(file.height - (largest.height * file.width) / largest.width) <= 1;
  return isSameShape ? undefined : 'must have the same proportions as the largest file.';
}

/** @throws 422 if the files are not one picture in the three widths */
function requirePicture(files: UploadedFile[]): void {
  const read = files.map(({ bytes }) => readPicture(bytes));
  const largest = read.at(-1);
  const errors = files.flatMap((uploaded, index): FieldError[] => {
    const file = read[index];
    const message = problemOfFile(uploaded, file) ?? (largest && problemOfSize(uploaded.width, file!, largest));
    return message ? [{ field: String(uploaded.width), message }] : [];
  });
  if (errors.length > 0) throw invalidFields(errors);
}

/**
 * Stores a picture. One that is uploaded again is stored once.
 * @returns its path
 */
export async function storePicture(db: Db, draft: PictureDraft): Promise<string> {
  const files = PICTURE_WIDTHS.map((width) => ({ width, bytes: Buffer.from(draft[width], 'base64') }));
  requirePicture(files);
  const sum = createHash('sha256');
  files.forEach(({ bytes }) => sum.update(bytes));
  const hash = sum.digest('hex');
  await db
    .insert(pictures)
    .values(files.map((file) => ({ hash, ...file })))
    .onConflictDoUpdate({ target: [pictures.hash, pictures.width], set: { usedAt: sql`now()` } });
  return PICTURE_FOLDER + hash;
}

export async function readPictureBytes(db: Db, hash: string, width: number): Promise<Buffer | undefined> {
  const isWanted = and(eq(pictures.hash, hash), eq(pictures.width, width));
  const [found] = await db.select({ bytes: pictures.bytes }).from(pictures).where(isWanted);
  return found?.bytes;
}

const HASH = new RegExp(`${PICTURE_FOLDER}([0-9a-f]{64})(?![0-9a-f])`);

/**
 * Finds pictures that tools are about to get. The sweep does not delete them for a day. Locks them in one order, so that
 * two transactions cannot wait for each other.
 * @returns the paths of those that exist in all widths
 */
async function findPictures(tx: Db | Tx, links: string[]): Promise<Set<string>> {
  const hashes = links.flatMap((link) => HASH.exec(link)?.[1] ?? []);
  if (hashes.length === 0) return new Set();
  const { rows } = await tx.execute<{ hash: string }>(sql`
    with found as (select hash, width from pictures where hash = any(${sql.param(hashes)}::text[])
      order by hash, width for update),
    used as (update pictures set used_at = now() from found
      where pictures.hash = found.hash and pictures.width = found.width returning pictures.hash)
    select hash from used group by hash having count(*) = ${PICTURE_WIDTHS.length}`);
  return new Set(rows.map(({ hash }) => PICTURE_FOLDER + hash));
}

/** @returns a function that says what is wrong with a stored link, if it is to a picture that the shop does not have */
export async function createPictureCheck(tx: Db | Tx, links: string[]): Promise<(img: string) => FieldError[]> {
  const found = await findPictures(tx, links);
  const message = "The shop doesn't have this picture. Upload it again.";
  return (img) => (img.startsWith(PICTURE_FOLDER) && !found.has(img) ? [{ field: 'img', message }] : []);
}

/** @throws 422 if the link is to a picture that the shop does not have */
export async function requireStoredPicture(tx: Tx, img: string): Promise<void> {
  const errors = (await createPictureCheck(tx, [img]))(img);
  if (errors.length > 0) throw invalidFields(errors);
}

const isUsed = sql`exists (select from ${tools} where ${tools.img} = ${PICTURE_FOLDER}::text || ${pictures.hash})`;

/** A replaced picture stays for a day, because open pages still show it. */
export async function deleteUnusedPictures({ db, now }: { db: Db; now: () => Date }): Promise<number> {
  const [hourAgo, dayAgo] = [1, 24].map((hours) => addMs(now(), -hours * HOUR_MS));
  await updateInBatches(db, pictures, { usedAt: now() }, sql`${pictures.usedAt} < ${hourAgo} and ${isUsed}`);
  return deleteInBatches(db, pictures, sql`${pictures.usedAt} < ${dayAgo} and not ${isUsed}`);
}
