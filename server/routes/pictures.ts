import { Type } from 'typebox';
import { PictureDraft, StoredPicture } from '../../src/contract/entities';
import { PICTURE_WIDTHS } from '../../src/contract/limits';
import { readPictureBytes, storePicture } from '../catalog/pictures';
import { pictureTypeOf } from '../catalog/readPicture';
import type { Deps } from '../deps';
import type { App } from '../http/fastify';
import { notFound } from '../http/problems';
import { limitCallsPerMinute } from '../http/rateLimit';

/** The three files of a picture are at most 430 KB, and a third more in Base64. */
const MAX_BODY_BYTES = 600_000;
const ByHash = Type.Object({ hash: Type.String({ pattern: '^[0-9a-f]{64}$' }) });
const ByWidth = Type.Object({ w: Type.Optional(Type.String()) });

export function pictureRoutes(app: App, { db, access, limit }: Deps): void {
  app.post(
    '/picture',
    {
      onRequest: [access.requireAdmin, limitCallsPerMinute(limit, 'picture')],
      bodyLimit: MAX_BODY_BYTES,
      schema: {
        summary: `Stores a tool's picture in ${PICTURE_WIDTHS.join(', ')} pixels of width. Admins only.`,
        body: PictureDraft,
        response: { 201: StoredPicture },
      },
    },
    async (request, reply) => reply.code(201).send({ img: await storePicture(db, request.body) }),
  );

  app.get(
    '/picture/:hash',
    {
      schema: {
        summary: 'Returns an uploaded picture, 768 pixels wide or as wide as `w` says.',
        params: ByHash,
        querystring: ByWidth,
        produces: ['image/webp', 'image/jpeg'],
      },
    },
    async ({ params: { hash }, query: { w = '768' }, headers }, reply) => {
      const etag = `"${hash}-${w}"`;
      if (headers['if-none-match']?.includes(etag)) return reply.code(304).send();
      const width = PICTURE_WIDTHS.find((known) => String(known) === w);
      const bytes = width && (await readPictureBytes(db, hash, width));
      if (!bytes) throw notFound();
      return reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('etag', etag)
        .type(pictureTypeOf(bytes))
        .send(bytes);
    },
  );
}
