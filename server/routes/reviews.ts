import { Type } from 'typebox';
import { Review, ReviewDraft } from '../../src/contract/entities';
import { safeHref } from '../../src/contract/links';
import { nameOf } from '../access';
import { reviews } from '../db/schema';
import type { Deps } from '../deps';
import { READY, type App } from '../typed';
import { slowDown } from '../writeLimit';

export function reviewRoutes(app: App, { db, access, limit, catalogue, sendPrepared }: Deps): void {
  app.get('/review', { config: READY, schema: { response: { 200: Type.Array(Review) } } }, (request, reply) =>
    sendPrepared(request, reply, catalogue.reviews.list()),
  );

  app.post(
    '/review',
    {
      onRequest: [access.requireUser, slowDown(limit, 'review')],
      schema: { body: ReviewDraft, response: { 201: Review } },
    },
    async (request, reply) => {
      const { description, ratings, img } = request.body;
      const review = { name: nameOf(request.user), description, ratings, img: safeHref(img)! };
      const [row] = await db
        .insert(reviews)
        .values({ ...review, authorId: request.user.id })
        .returning({ id: reviews.id });
      await catalogue.changed('reviews', row!.id);
      return reply.code(201).send({ _id: row!.id, ...review });
    },
  );
}
