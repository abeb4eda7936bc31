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
const ByHash = Type.Object({ hash: Type.String() });
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
      const isCached = headers['if-none-match']?.includes(etag);
      const bytes = await readPictureBytes(db, hash, Number(w));
      if (!bytes) throw notFound();
      reply.header('cache-control', 'public, max-age=31536000, immutable').header('etag', etag);
      return isCached ? reply.code(304).send() : reply.type(pictureTypeOf(bytes)).send(bytes);
    },
  );
}
