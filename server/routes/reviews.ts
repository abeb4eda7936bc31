import { Type } from 'typebox';
import { Id, Review, ReviewDraft } from '../../src/contract/entities';
import { removeInvisibleCharacters } from '../../src/contract/displayName';
import { displayNameOf } from '../auth/access';
import type { Deps } from '../deps';
import { CachedResponse } from '../http/cachedResponse';
import { invalidField, reviewNotFound } from '../http/problems';
import { toImageLink } from '../http/imageHosts';
import { addReview, removeReview } from '../catalog/reviews';
import { SERVED_FROM_MEMORY, type App } from '../http/fastify';
import { limitCallsPerMinute } from '../http/rateLimit';

const ById = Type.Object({ id: Id });

export function reviewRoutes(app: App, deps: Deps): void {
  const { db, access, limit, catalog, metrics, settings, sendCached } = deps;
  const ofTools = new Map<string, CachedResponse>();
  let versionOfTools = -1;
  /** Remembers the answers until a review changes, except those without a review, so that no caller can fill the memory. */
  function reviewsOf(tool: string): CachedResponse {
    if (versionOfTools !== catalog.reviews.version) ofTools.clear();
    versionOfTools = catalog.reviews.version;
    const known = ofTools.get(tool);
    if (known) return known;
    const reviews = catalog.reviews.first(Infinity, ({ toolId }) => toolId === tool);
    const list = new CachedResponse(JSON.stringify(reviews));
    if (reviews.length > 0) ofTools.set(tool, list);
    return list;
  }
  metrics.addGauge(
    'forgeline_review_list_bytes',
    'Bytes of the list of all reviews, uncompressed.',
    () => catalog.reviews.list().body.length,
  );

  app.get(
    '/review',
    {
      config: SERVED_FROM_MEMORY,
      schema: {
        summary: 'Lists all reviews, or those of one tool.',
        querystring: Type.Object({ tool: Type.Optional(Id) }),
        response: { 200: Type.Array(Review) },
      },
    },
    (request, reply) => {
      const { tool } = request.query;
      return sendCached(request, reply, tool === undefined ? catalog.reviews.list() : reviewsOf(tool));
    },
  );

  app.post(
    '/review',
    {
      onRequest: [access.requireUser, limitCallsPerMinute(limit, 'review')],
      schema: { summary: 'Adds a review.', body: ReviewDraft, response: { 201: Review } },
    },
    async (request, reply) => {
      const { ratings, img, toolId } = request.body;
      const { user } = request;
      const description = removeInvisibleCharacters(request.body.description);
      if (description.trim() === '') throw invalidField('description', 'is required.');
      const review = { name: displayNameOf(user), description, ratings, img: toImageLink(img, settings) };
      return reply.code(201).send(await addReview(deps, user, { ...review, ...(toolId !== undefined && { toolId }) }));
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
