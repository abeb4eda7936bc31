import { Type } from 'typebox';
import { Id, Review, ReviewDraft } from '../../src/contract/entities';
import { removeInvisibleCharacters } from '../../src/contract/displayName';
import { displayNameOf } from '../auth/access';
import type { Deps } from '../deps';
import { invalidFields, reviewNotFound } from '../http/problems';
import { toImageLink } from '../http/imageHosts';
import { addReview, removeReview } from '../catalog/reviews';
import { SERVED_FROM_MEMORY, type App } from '../http/fastify';
import { limitCallsPerMinute } from '../http/rateLimit';

const ById = Type.Object({ id: Id });

export function reviewRoutes(app: App, deps: Deps): void {
  const { db, access, limit, catalog, metrics, settings, sendCached } = deps;
  metrics.addGauge(
    'forgeline_review_list_bytes',
    'Bytes of the list of all reviews, uncompressed.',
    () => catalog.reviews.list().body.length,
  );

  app.get(
    '/review',
    { config: SERVED_FROM_MEMORY, schema: { summary: 'Lists all reviews.', response: { 200: Type.Array(Review) } } },
    (request, reply) => sendCached(request, reply, catalog.reviews.list()),
  );

  app.post(
    '/review',
    {
      onRequest: [access.requireUser, limitCallsPerMinute(limit, 'review')],
      schema: { summary: 'Adds a review.', body: ReviewDraft, response: { 201: Review } },
    },
    async (request, reply) => {
      const { ratings, img } = request.body;
      const { user } = request;
      const description = removeInvisibleCharacters(request.body.description);
      if (description.trim() === '') throw invalidFields([{ field: 'description', message: 'is required.' }]);
      const review = { name: displayNameOf(user), description, ratings, img: toImageLink(img, settings) };
      return reply.code(201).send(await addReview(deps, user, review));
    },
  );

  app.delete(
    '/review/:id',
    {
      onRequest: access.requireAdmin,
      schema: { summary: 'Removes a review. Admins only.', params: ById, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      const { id } = request.params;
      if (!(await removeReview(db, id, request.user))) throw reviewNotFound();
      await catalog.reportChange('reviews', id);
      request.log.info({ reqId: request.id, reviewId: id, adminId: request.user.id }, 'review removed');
      return reply.code(204).send(null);
    },
  );
}
