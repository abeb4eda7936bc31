import { Type } from 'typebox';
import { Id, Tool, ToolChange, ToolDraft } from '../../src/contract/entities';
import { addTool } from '../catalog/addTool';
import { listAllTools } from '../catalog/catalogQueries';
import { editTool } from '../catalog/editTool';
import type { Deps } from '../deps';
import { toolNotFound } from '../http/problems';
import { idempotencyKeyOf } from '../http/idempotencyKeys';
import { toImageLink } from '../http/imageHosts';
import { SERVED_FROM_MEMORY, type App } from '../http/fastify';

const ById = Type.Object({ id: Id });

export function toolRoutes(app: App, deps: Deps): void {
  const { db, access, catalog, settings, sendCached } = deps;
  app.get(
    '/tool',
    {
      config: SERVED_FROM_MEMORY,
      schema: { summary: 'Lists the tools for sale.', response: { 200: Type.Array(Tool) } },
    },
    (request, reply) => sendCached(request, reply, catalog.tools.list()),
  );

  app.get(
    '/tool/all',
    {
      onRequest: access.requireAdmin,
      schema: { summary: 'Lists all tools, for sale or not. Admins only.', response: { 200: Type.Array(Tool) } },
    },
    () => listAllTools(db),
  );

  app.get(
    '/tool/:id',
    { config: SERVED_FROM_MEMORY, schema: { summary: 'Returns a tool.', params: ById, response: { 200: Tool } } },
    (request, reply) => {
      const tool = catalog.tools.find(request.params.id);
      if (!tool) throw toolNotFound();
      return sendCached(request, reply, tool);
    },
  );

  app.post(
    '/tool',
    {
      onRequest: access.requireAdmin,
      schema: { summary: 'Adds a tool. Admins only.', body: ToolDraft, response: { 201: Tool } },
    },
    async (request, reply) => {
      const img = toImageLink(request.body.img, settings);
      return reply.code(201).send(await addTool(deps, { ...request.body, img }));
    },
  );

  app.patch(
    '/tool/:id',
    {
      onRequest: access.requireAdmin,
      schema: {
        summary:
          'Edits a tool, and adds stockChange to its stock. Answers tool_changed if a field no longer has the value in `was`. Admins only.',
        params: ById,
        body: ToolChange,
        response: { 200: Tool },
      },
    },
    (request) => editTool(deps, request.user, request.params.id, request.body, idempotencyKeyOf(request)),
  );
}
