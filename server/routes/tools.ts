import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import {
  Id,
  Tool,
  ToolChange,
  ToolDraft,
  ToolImport,
  ToolSheetChange,
  ToolSheetDraft,
} from '../../src/contract/entities';
import { MAX_IMPORTED_BYTES } from '../../src/contract/uploadLimits';
import { listAllTools, listToolRows } from '../catalog/catalogQueries';
import { addTool, editTool } from '../catalog/tools';
import { importTools, previewImport } from '../catalog/importTools';
import { streamToolSheet } from '../catalog/toolSheet';
import type { Deps } from '../deps';
import { CsvFile, sendCsv } from '../http/csvWriter';
import { csvOnly, toolNotFound } from '../http/problems';
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
    '/tool.csv',
    {
      onRequest: access.requireAdmin,
      schema: {
        summary: 'Returns all tools as a spreadsheet, with their stock of this moment in knownQuantity. Admins only.',
        produces: ['text/csv'],
        response: { 200: CsvFile },
      },
    },
    async (_request, reply) => sendCsv(reply, 'tools.csv', streamToolSheet(await listToolRows(db))),
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
      return reply.code(201).send(await addTool(deps, request.user, { ...request.body, img }));
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
  app.register(async (scope) => toolImportRoute(scope.withTypeProvider<TypeBoxTypeProvider>(), deps));
}

/** The only call that accepts CSV, and it accepts nothing else. */
function toolImportRoute(app: App, deps: Deps): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('text/csv', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.addContentTypeParser('*', (_request, _payload, done) => done(csvOnly()));

  app.post(
    '/tool/import',
    {
      onRequest: deps.access.requireAdmin,
      bodyLimit: MAX_IMPORTED_BYTES,
      schema: {
        summary:
          'Imports a spreadsheet of tools, all of it or nothing. With `dry`, answers what it would do. Without knownQuantity, the stock of existing tools stays. Admins only.',
        querystring: Type.Object({ dry: Type.Optional(Type.String()) }),
        consumes: ['text/csv'],
        body: Type.Unsafe<Buffer | undefined>({}),
        response: { 200: ToolImport },
      },
    },
    (request) => {
      const key = idempotencyKeyOf(request);
      const [isDraft, isChange] = [ToolSheetDraft, ToolSheetChange].map((schema) =>
        request.compileValidationSchema(schema),
      );
      const check = (values: object, isNew: boolean) => {
        const isValid = isNew ? isDraft! : isChange!;
        return isValid(values) ? [] : (isValid.errors ?? []);
      };
      const context = { ...deps, check };
      const file = request.body ?? Buffer.alloc(0);
      if (request.query.dry !== undefined) return previewImport(context, file);
      return importTools(context, request.user, file, key);
    },
  );
}
