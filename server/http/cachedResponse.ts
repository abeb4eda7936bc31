import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { buildCachedHeaders } from './securityHeaders';
import type { Settings } from '../settings/settings';

type Kind = 'unchanged' | 'plain' | 'br' | 'gzip';
interface Variant {
  status: number;
  headers: string[];
  body?: string | Buffer;
}

export interface CacheOptions {
  type?: string;
  status?: number;
  /** The content security policy. By default, it is that of JSON responses, which allows nothing. */
  policy?: string;
  /** The time from which the body is compressed. A body that changes before would be compressed in vain. */
  compressFrom?: number;
}

/** A smaller body fits into one network packet, so compression would hardly make it arrive sooner. */
const ONE_PACKET_BYTES = 1400;
/** Node sends headers and a latin1 string in one write. For headers and a buffer, it needs two. */
const MAX_STRING_BYTES = 32_768;
const ACCEPTS_BR = /\bbr\b(?!\s*;\s*q=0(\.0{0,3})?\s*(,|$))/;
const ACCEPTS_GZIP = /\bgzip\b(?!\s*;\s*q=0(\.0{0,3})?\s*(,|$))/;
const encoders = {
  plain: (body: Buffer) => body,
  br: (body: Buffer) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (body: Buffer) => promisify(gzip)(body),
};

/** A response whose variants are made when they are first needed. Two responses with the same ETag are equal. */
export class CachedResponse {
  readonly etag: string;
  /** Not compressed. */
  readonly body: Buffer;
  private readonly variants = new Map<Kind, Variant | Promise<Variant>>();

  constructor(
    text: string,
    private readonly options: CacheOptions = {},
  ) {
    this.body = Buffer.from(text);
    this.etag = `W/"${createHash('sha1').update(this.body).digest('base64url')}"`;
  }

  variantFor({ headers }: FastifyRequest, commonHeaders: (policy?: string) => string[]): Variant | Promise<Variant> {
    const kind = this.kindFor(headers['if-none-match'], headers['accept-encoding']);
    const cached = this.variants.get(kind);
    if (cached) return cached;
    const variant = this.make(kind, commonHeaders(this.options.policy));
    this.variants.set(kind, variant);
    variant.then(
      (made) => this.variants.set(kind, made),
      () => this.variants.delete(kind),
    );
    return variant;
  }

  private kindFor(ifNoneMatch: string | undefined, accepted: string | undefined): Kind {
    if (ifNoneMatch === '*' || ifNoneMatch?.includes(this.etag)) return 'unchanged';
    const { compressFrom = 0 } = this.options;
    if (!accepted || this.body.length <= ONE_PACKET_BYTES || Date.now() < compressFrom) return 'plain';
    if (ACCEPTS_BR.test(accepted)) return 'br';
    return ACCEPTS_GZIP.test(accepted) ? 'gzip' : 'plain';
  }

  private async make(kind: Kind, commonHeaders: string[]): Promise<Variant> {
    const { type = 'application/json; charset=utf-8', status = 200 } = this.options;
    const headers = ['etag', this.etag, 'vary', 'Accept, Accept-Encoding', ...commonHeaders];
    if (kind === 'unchanged') return { status: 304, headers };
    const body = await encoders[kind](this.body);
    headers.push('content-type', type, 'content-length', String(body.length));
    if (kind !== 'plain') headers.push('content-encoding', kind);
    return { status, headers, body: body.length > MAX_STRING_BYTES ? body : body.toString('latin1') };
  }
}

export type SendCached = ReturnType<typeof createCachedResponseSender>;

/**
 * Sends a 304 if the client has the current ETag, and a compressed body if the client accepts one. Bypasses Fastify,
 * which would compose a dozen headers for each response (docs/decisions/003-pages-and-lists-in-memory.md).
 */
export function createCachedResponseSender(settings: Settings) {
  const commonHeaders = buildCachedHeaders(settings);

  function send(request: FastifyRequest, reply: FastifyReply, { status, headers, body }: Variant) {
    const { raw } = reply.hijack();
    raw.writeHead(status, headers.concat('x-request-id', request.id));
    if (body) {
      // `end(body)` would need two writes.
      raw.cork();
      raw.write(body, 'latin1');
      raw.uncork();
    }
    raw.end();
  }

  return (request: FastifyRequest, reply: FastifyReply, response: CachedResponse): void | Promise<void> => {
    const variant = response.variantFor(request, commonHeaders);
    if (variant instanceof Promise) return variant.then((made) => send(request, reply, made));
    return send(request, reply, variant);
  };
}
