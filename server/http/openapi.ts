import swagger from '@fastify/swagger';
import type { App } from './fastify';

/** The contract, made from the schemas that the routes validate and serialise by. */
export async function useOpenApi(app: App): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Forgeline',
        version: '1.0.0',
        description:
          'The calls of the Forgeline shop. Errors are application/problem+json with a stable code. ' +
          'The bearer is the access token that PUT /user/{email} answers.',
      },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    },
    hideUntagged: false,
  });
}
