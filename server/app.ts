import Fastify, { LogController, type FastifyBaseLogger, type FastifyPluginAsync, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Deps } from './deps';
import { isPhoneLongEnough } from '../src/contract/delivery';
import { safeHref } from '../src/contract/links';
import { sendProblem, notFound } from './http/problems';
import { createSecurityHeaderSetter } from './http/securityHeaders';
import { registerResponseTimeout, registerDiskGuard, registerLoadShedding, type ReadFreeBytes } from './http/overload';
import { registerAddressLimit } from './http/rateLimit';
import { registerLocalOnly, createRemoteRequestGuard } from './http/localOnly';
import { registerOpenApi } from './http/openapi';
import type { Pages } from './pages/pages';
import { nextRequestId, registerProxyWarning, registerRequestLogging, registerStatementTimes } from './http/logging';
import { registerStaticFiles } from './http/staticFiles';
import { createNodeErrorHandlers, registerHostAndClosingChecks } from './http/nodeHttpErrors';
import { adminOrderRoutes } from './routes/adminOrders';
import { healthRoutes } from './routes/health';
import { orderRoutes } from './routes/orders';
import { paymentRoutes } from './routes/payments';
import { pictureRoutes } from './routes/pictures';
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

export interface AppOptions {
  deps: Deps;
  pages: Pages;
  /** The embedded identity and payment services, used when no vendor is configured. */
  embedded: FastifyPluginAsync[];
  logger: Logger;
  /** Reads how many bytes are free on the embedded database's disk. */
  readFreeBytes?: ReadFreeBytes;
  /** While the event loop lags by more than this, new requests get a 503. */
  maxLagMs?: number;
  /** A request without a response after this time gets a 503. */
  responseTimeoutMs?: number;
  /** Receives each route when it is registered, so that tests can list all routes. */
  onRoute?: (route: { method: string | string[]; url: string }) => void;
}

/** Builds the server. It does not listen yet. */
export async function buildApp({
  deps,
  pages,
  embedded,
  logger,
  readFreeBytes,
  maxLagMs = 1000,
  responseTimeoutMs = 20_000,
  onRoute,
}: AppOptions) {
  const setSecurityHeaders = createSecurityHeaderSetter(deps.settings);
  const refuseRemote = createRemoteRequestGuard(deps.settings);
  const { refuseMalformedRequest, refuseExpectation } = createNodeErrorHandlers(deps.settings);
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
        formats: { link: isLink, phone: isPhoneLongEnough },
        // TypeBox generates valid schemas, so checking them would only slow down the start.
        validateSchema: false,
      },
    },
    frameworkErrors: (error, request, reply) => {
      setSecurityHeaders(request, reply);
      return refuseRemote(request, reply) ? undefined : sendProblem(error, request, reply);
    },
    clientErrorHandler: refuseMalformedRequest,
    return503OnClosing: false,
  }).withTypeProvider<TypeBoxTypeProvider>();
  // By default, Node drops all headers after the first 1,000. Proxies add theirs at the end, so a client that sends
  // enough headers could make Node drop the proxy's. The total size of the headers is still limited.
  app.server.maxHeadersCount = 0;
  app.server.on('checkExpectation', refuseExpectation);
  app.addHook('onRoute', (route) => onRoute?.(route));
  app.removeContentTypeParser('text/plain');
  app.setErrorHandler(sendProblem);
  app.addHook('onSend', (request, reply, _payload, done) => {
    setSecurityHeaders(request, reply);
    done();
  });
  registerHostAndClosingChecks(app, deps.closing);
  registerLocalOnly(app, refuseRemote);
  registerRequestLogging(app, deps);
  if (logger.isLevelEnabled('debug')) registerStatementTimes(app);
  registerResponseTimeout(app, responseTimeoutMs);
  registerProxyWarning(app);
  registerAddressLimit(app, deps.settings);
  registerDiskGuard(app, readFreeBytes, logger);
  registerTextValidation(app);
  registerLoadShedding(app, maxLagMs, isNeverShed);
  await registerOpenApi(app);

  app.setNotFoundHandler((request, reply) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || /^\/(assets|v1|images|icons)\//.test(request.url)) return sendProblem(notFound(), request, reply);
    return pages.send(request, reply);
  });
  await registerStaticFiles(app);
  for (const plugin of embedded) await app.register(plugin);

  await app.register(async (scope) => {
    const shop = scope.withTypeProvider<TypeBoxTypeProvider>();
    shop.addHook('onRequest', (request, reply, done) => {
      if (!isPageRequest(request)) {
        reply.header('vary', 'Accept');
        return done();
      }
      Promise.resolve(pages.send(request, reply)).catch(done);
    });
    for (const routes of [
      toolRoutes,
      reviewRoutes,
      orderRoutes,
      adminOrderRoutes,
      paymentRoutes,
      userRoutes,
      sessionRoutes,
      profileRoutes,
    ])
      routes(shop, deps);
  });
  // Outside of the shop's scope, because a browser that opens a picture in a tab gets the picture, and not a page.
  for (const routes of [healthRoutes, pictureRoutes, siteRoutes]) routes(app, deps);
  return app;
}

/** Some pages have the same path as an API call. Only a browser that opens the page accepts HTML. */
const isPageRequest = ({ method, headers }: FastifyRequest) =>
  (method === 'GET' || method === 'HEAD') && (headers.accept ?? '').includes('text/html');

/** Paths that an overloaded server still serves: static files, the health check and the metrics. */
const NEVER_SHED = /^\/((assets|images|icons|v1\/sandbox)\/|healthz$|metrics$)/;

/**
 * An overloaded server still answers requests that cost no more than a 503. It also serves pages and their files,
 * because a page whose script got a 503 would never work.
 */
const isNeverShed = (request: FastifyRequest) =>
  isServedFromMemory(request.routeOptions.config) || NEVER_SHED.test(request.url) || isPageRequest(request);
