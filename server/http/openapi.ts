import swagger from '@fastify/swagger';
import type { App } from './fastify';
import { hashOf } from './securityHeaders';

/** Generates the API contract from the routes' schemas. */
export async function registerOpenApi(app: App): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Forgeline',
        version: '1.0.0',
        description:
          'The HTTP API of the Forgeline shop. Errors are application/problem+json with a stable code. ' +
          'The bearer token is the access token that PUT /user/{email} returns.',
      },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    },
    hideUntagged: false,
  });
}

interface Operation {
  summary?: string;
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema: unknown }> };
  responses?: Record<string, { content?: Record<string, { schema: unknown }> }>;
}

const STYLE = `
:root{color-scheme:light dark;--ink:#16181b;--paper:#f6f4ef;--line:#dcd8cf;--ember:#b83a0e}
@media (prefers-color-scheme:dark){:root{--ink:#ece9e2;--paper:#121417;--line:#33383e;--ember:#ff8a5c}}
body{margin:0 auto;max-width:52rem;padding:2rem 1rem;background:var(--paper);color:var(--ink);
font:16px/1.5 system-ui,sans-serif}
h2{margin:2rem 0 .5rem;font-size:1.1rem;border-top:1px solid var(--line);padding-top:1.5rem}
code,pre{font:14px/1.5 ui-monospace,monospace}
pre{overflow-x:auto;padding:.75rem;border:1px solid var(--line);border-radius:6px}
b{color:var(--ember)}a{color:var(--ember)}
`;

export const docsCsp = `default-src 'none'; style-src ${hashOf(STYLE)}; base-uri 'none'; frame-ancestors 'none'`;

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const schemaBlock = (schema: unknown) => `<pre tabindex="0">${escapeHtml(JSON.stringify(schema, null, 2))}</pre>`;
const jsonSchemaOf = (content?: Record<string, { schema: unknown }>) => content?.['application/json']?.schema;

function bodyBlock(content: Record<string, { schema: unknown }>): string {
  const schema = jsonSchemaOf(content);
  return schema ? schemaBlock(schema) : `<p>${escapeHtml(Object.keys(content).join(', '))}</p>`;
}

function renderOperation(
  method: string,
  path: string,
  { summary = '', parameters = [], requestBody, responses = {} }: Operation,
): string {
  const parameterList = parameters
    .map(({ name, in: place }) => `<code>${escapeHtml(name)}</code> (${place})`)
    .join(', ');
  const responseBlocks = Object.entries(responses).map(([status, { content }]) => {
    const schema = jsonSchemaOf(content);
    return `<p>Response ${status}</p>${schema ? schemaBlock(schema) : ''}`;
  });
  return [
    `<h2><b>${method.toUpperCase()}</b> <code>${escapeHtml(path)}</code></h2>`,
    `<p>${escapeHtml(summary)}</p>`,
    parameterList && `<p>Parameters: ${parameterList}</p>`,
    requestBody ? `<p>Request body</p>${bodyBlock(requestBody.content)}` : '',
    ...responseBlocks,
  ].join('');
}

/** Renders the API contract as a page that loads no other file. */
export function renderDocsPage(contract: object): string {
  const { info, paths = {} } = contract as {
    info: { title: string; description: string };
    paths?: Record<string, Record<string, Operation>>;
  };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => renderOperation(method, path, operation)),
  );
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width, initial-scale=1">` +
    `<title>${info.title} API</title><style>${STYLE}</style></head><body><main><h1>${info.title} API</h1>` +
    `<p>${escapeHtml(info.description)}</p><p>Machine-readable: <a href="/openapi.json">openapi.json</a>. ` +
    `<a href="/">Back to the shop</a>.</p>${operations.join('')}</main></body></html>`
  );
}
