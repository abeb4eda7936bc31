import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { imageSources } from './imageHosts';
import { isLoopback } from './network';
import type { Settings } from '../settings/settings';

const STRIPE = {
  script: 'https://js.stripe.com https://*.js.stripe.com',
  frame: 'https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
  connect: 'https://api.stripe.com',
};
/** The hash of the empty style element that styled-components adds in the browser and fills through the CSSOM. */
export const EMPTY_STYLE_HASH = hashOf('');

export function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

const directive = (...parts: (string | false | undefined)[]) => parts.filter(Boolean).join(' ');

/** Lets pages load files of this site and of the other sites that the configured providers need. */
export function buildPageCsp(
  { identity, payments, publicUrl, imgHosts }: Settings,
  styleHashes: string[],
  scriptHashes: string[],
): string {
  const stripe = payments.kind === 'stripe';
  const firebase = identity.kind === 'firebase' && identity;
  const emulator = identity.kind === 'emulator' && `http://${identity.host}`;
  const google = (firebase || emulator) && 'https://apis.google.com';
  return [
    "default-src 'self'",
    directive("script-src 'self'", ...scriptHashes, stripe && STRIPE.script, google),
    directive("frame-src 'self'", stripe && STRIPE.frame, firebase && `https://${firebase.authDomain}`, emulator),
    directive(
      "connect-src 'self'",
      stripe && STRIPE.connect,
      firebase && 'https://identitytoolkit.googleapis.com https://securetoken.googleapis.com',
      emulator,
    ),
    directive('img-src', ...imageSources({ imgHosts })),
    directive("style-src 'self'", ...styleHashes),
    "font-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "worker-src 'self'",
    "manifest-src 'self'",
    publicUrl.startsWith('https:') && 'upgrade-insecure-requests',
  ]
    .filter(Boolean)
    .join('; ');
}

export const DATA_CSP = "default-src 'none'; frame-ancestors 'none'";
const CSP_HEADER = 'content-security-policy';
const CACHE_HEADER = 'cache-control';

/** @returns the security headers that are the same for every response. The CSP differs. */
export function buildSecurityHeaders({ publicUrl, payments }: Settings): Record<string, string> {
  const isPublicHttps = publicUrl.startsWith('https:') && !isLoopback(new URL(publicUrl).hostname);
  const stripe = payments.kind === 'stripe' ? ' "https://js.stripe.com"' : '';
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': `camera=(), microphone=(), geolocation=(), payment=(self${stripe})`,
    ...(isPublicHttps && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
  };
}

export type SetSecurityHeaders = (request: FastifyRequest, reply: FastifyReply) => void;

/**
 * Adds the security headers to a response. Keeps the content security policy and the cache time of routes that set
 * their own, such as `/docs`, static files and the sandbox's frames.
 */
export function createSecurityHeaderSetter(settings: Settings): SetSecurityHeaders {
  const commonHeaders = buildSecurityHeaders(settings);
  return (request, reply) => {
    if (!reply.hasHeader(CSP_HEADER)) reply.header(CSP_HEADER, DATA_CSP);
    if (!reply.hasHeader(CACHE_HEADER)) reply.header(CACHE_HEADER, 'no-store');
    reply.headers(commonHeaders).header('x-request-id', request.id);
  };
}

/** For error responses that are written to the socket, because Fastify adds no headers there. */
export const buildRefusalHeaders = (settings: Settings): Record<string, string> => ({
  ...buildSecurityHeaders(settings),
  [CSP_HEADER]: DATA_CSP,
  [CACHE_HEADER]: 'no-store',
});

/** Returns a flat list of names and values, because Node writes headers in this format fastest. */
export function buildCachedHeaders(settings: Settings): (policy?: string) => string[] {
  const commonHeaders = Object.entries(buildSecurityHeaders(settings)).flat();
  return (policy = DATA_CSP) => [CACHE_HEADER, 'no-cache', CSP_HEADER, policy, ...commonHeaders];
}
