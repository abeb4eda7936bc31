import Fastify, { LogController, type FastifyBaseLogger, type FastifyPluginAsync, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Deps } from './deps';
import { safeHref } from '../src/contract/links';
import { answer, notFound } from './http/problems';
import { replyProtection } from './http/securityHeaders';
import { registerAnswerTimeout, registerDiskGuard, registerLoadShedding, type FreeBytes } from './http/overload';
import { registerLocalLimit } from './http/rateLimit';
import { registerLocalOnly, remoteRefusal } from './http/localOnly';
import { registerOpenApi } from './http/openapi';
import type { Pages } from './pages/pages';
import { nextRequestId, registerProxyNotice, registerRequestLine } from './http/logging';
import { registerStaticFiles } from './http/staticFiles';
import { nativeRefusals, registerNativeRefusals } from './http/nativeRefusals';
import { healthRoutes } from './routes/health';
import { orderRoutes } from './routes/orders';
import { paymentRoutes } from './routes/payments';
import { profileRoutes } from './routes/profiles';
import { reviewRoutes } from './routes/reviews';
import { sessionRoutes } from './routes/session';
import { siteRoutes } from './routes/site';
import { toolRoutes } from './routes/tools';
import { userRoutes } from './routes/users';
import { registerTextValidation } from './http/textValidation';
import { isServedFromMemory } from './http/fastify';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';

const KIB = 1024;
const isLink = (text: string) => safeHref(text) !== null;

export interface AppParts {
  deps: Deps;
  pages: Pages;
  /** The stand-ins for identity and payments, where no vendor is configured. */
  embedded: FastifyPluginAsync[];
  logger: Logger;
  /** How many bytes the disk of an embedded database has left. */
  freeBytes?: FreeBytes;
  /** Above this lag of the event loop, new calls are answered 503. */
  maxLagMs?: number;
  /** A call without an answer after this time is answered 503. */
  answerWithinMs?: number;
  /** Told of every route as it is registered. */
  onRoute?: (route: { method: string | string[]; url: string }) => void;
}

/** The server as a function of its parts. Nothing happens on import, and nothing listens here. */
export async function buildApp({
  deps,
  pages,
  embedded,
  logger,
  freeBytes,
  maxLagMs = 1000,
  answerWithinMs = 20_000,
  onRoute,
}: AppParts) {
  const protect = replyProtection(deps.settings);
  const refuseRemote = remoteRefusal(deps.settings);
  const { refuseClient, refuseExpectation } = nativeRefusals(deps.settings);
  const app = Fastify({
    loggerInstance: logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: nextRequestId,
    bodyLimit: 32 * KIB,
    requestTimeout: 15_000,
    connectionTimeout: 30_000,
    keepAliveTimeout: 10_000,
    childLoggerFactory: (log) => log,
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 2_000, requireHostHeader: false },
    routerOptions: { maxParamLength: 320 },
    trustProxy: deps.settings.trustProxy.length > 0 ? deps.settings.trustProxy : false,
    ajv: {
      customOptions: {
        coerceTypes: false,
        removeAdditional: false,
        allErrors: true,
        formats: { link: isLink },
        // TypeBox wrote the schemas: to check each of them against the schema of schemas would cost every start.
        validateSchema: false,
      },
    },
    frameworkErrors: (error, request, reply) => {
      protect(request, reply);
      return refuseRemote(request, reply) ? undefined : answer(error, request, reply);
    },
    clientErrorHandler: refuseClient,
    return503OnClosing: false,
  }).withTypeProvider<TypeBoxTypeProvider>();
  // By default Node drops headers after the thousandth, and a proxy's own come last. Their total size is limited anyway.
  app.server.maxHeadersCount = 0;
  app.server.on('checkExpectation', refuseExpectation);
  app.addHook('onRoute', (route) => onRoute?.(route));
  app.removeContentTypeParser('text/plain');
  app.setErrorHandler(answer);
  app.addHook('onSend', (request, reply, _payload, done) => {
    protect(request, reply);
    done();
  });
  registerNativeRefusals(app, deps.closing);
  registerLocalOnly(app, refuseRemote);
  registerRequestLine(app, deps);
  registerAnswerTimeout(app, answerWithinMs);
  registerProxyNotice(app, deps.settings);
  registerLocalLimit(app, deps.settings);
  registerDiskGuard(app, freeBytes, logger);
  registerTextValidation(app);
  registerLoadShedding(app, maxLagMs, isNeverShed);
  await registerOpenApi(app);

  app.setNotFoundHandler((request, reply) => {
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (!reads || /^\/(assets|v1|images|icons)\//.test(request.url)) return answer(notFound(), request, reply);
    return pages.send(request, reply);
  });
  await registerStaticFiles(app);
  for (const plugin of embedded) await app.register(plugin);

  await app.register(async (scope) => {
    const shop = scope.withTypeProvider<TypeBoxTypeProvider>();
    shop.addHook('onRequest', (request, reply, done) => {
      if (!wantsPage(request)) {
        reply.header('vary', 'Accept');
        return done();
      }
      Promise.resolve(pages.send(request, reply)).catch(done);
    });
    for (const routes of [
      toolRoutes,
      reviewRoutes,
      orderRoutes,
      paymentRoutes,
      userRoutes,
      sessionRoutes,
      profileRoutes,
    ])
      routes(shop, deps);
  });
  for (const routes of [healthRoutes, siteRoutes]) routes(app, deps);
  return app;
}

/** A browser that navigates to a path that is also a call gets the page. */
const wantsPage = ({ method, headers }: FastifyRequest) =>
  (method === 'GET' || method === 'HEAD') && (headers.accept ?? '').includes('text/html');

/** Files, and what an operator asks: whether the server is alive, and how busy it is. */
const NEVER_SHED = /^\/((assets|images|icons|v1\/sandbox)\/|healthz$|metrics$)/;

/** An answer from memory costs no more than a refusal, and a page whose script was refused never works. */
const isNeverShed = (request: FastifyRequest) =>
  isServedFromMemory(request.routeOptions.config) || NEVER_SHED.test(request.url) || wantsPage(request);
