import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { buildCachedHeaders } from './securityHeaders';
import type { Settings } from '../settings';

/** A response that is ready to be sent. Two responses with the same ETag are equal. */
export interface CachedResponse {
  readonly etag: string;
  /** The length of the uncompressed body in bytes. */
  readonly size: number;
}

export interface CacheOptions {
  type?: string;
  status?: number;
  /** The content security policy. By default, it is that of JSON responses, which allows nothing. */
  policy?: string;
  /** @returns whether the body changes too often for compression to pay off */
  isChurning?: () => boolean;
  /** A short text that changes whenever the body does. The ETag is then a hash of this text instead of the body. */
  version?: string;
}

/** Computes the headers and the compressed bodies only when they are first needed. */
export const cacheResponse = (text: string, options: CacheOptions = {}): CachedResponse =>
  new StoredResponse(text, options);

export type SendCached = (
  request: FastifyRequest,
  reply: FastifyReply,
  response: CachedResponse,
) => void | Promise<void>;

/**
 * Sends a 304 if the client has the current ETag, and a compressed body if the client accepts one. Bypasses Fastify,
 * which would compose a dozen headers for each response (docs/decisions/017-cached-responses.md).
 */
export function createCachedResponseSender(settings: Settings): SendCached {
  const headersFor = buildCachedHeaders(settings);

  function write(
    request: FastifyRequest,
    reply: FastifyReply,
    stored: StoredResponse,
    body?: Bytes,
    encoding?: Encoding,
  ) {
    const headers = stored.headersOf(body, encoding, headersFor);
    reply.hijack();
    reply.raw.writeHead(body ? stored.status : 304, headers.concat('x-request-id', request.id));
    if (body) writeWithHeaders(reply.raw, body);
    reply.raw.end();
  }

  return (request, reply, response) => {
    const stored = response as StoredResponse;
    if (hasEtag(request, stored.etag)) return write(request, reply, stored);
    const encoding = stored.isWorthCompressing() ? encodingOf(request) : undefined;
    const bytes = encoding ? stored.compressed(encoding) : stored.body;
    if (isReady(bytes)) return write(request, reply, stored, bytes, encoding);
    return bytes.then((ready) => write(request, reply, stored, ready, encoding));
  };
}

type Encoding = 'br' | 'gzip';

/**
 * A body of at most this size fits into one network packet, so compression would hardly make it arrive sooner.
 */
const ONE_PACKET_BYTES = 1400;
const BROTLI_OPTIONS = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const compressors = {
  br: (body: Buffer) => promisify(brotliCompress)(body, BROTLI_OPTIONS),
  gzip: promisify(gzip),
};

/**
 * A short body is a latin1 string with one character per byte, because Node sends headers and a string in one write.
 * For headers and a buffer, Node needs two.
 */
type Bytes = string | Buffer;
const MAX_STRING_BYTES = 32_768;
const bufferOf = (bytes: Bytes) => (typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
const isReady = (bytes: Bytes | Promise<Bytes>): bytes is Bytes => typeof bytes === 'string' || Buffer.isBuffer(bytes);
const bytesOf = (body: Buffer): Bytes => (body.length > MAX_STRING_BYTES ? body : body.toString('latin1'));

class StoredResponse implements CachedResponse {
  readonly etag: string;
  readonly status: number;
  readonly body: Bytes;
  private readonly headers = new Map<Encoding | 'plain' | 'unchanged', string[]>();
  private readonly encoded = new Map<Encoding, Promise<Bytes> | Bytes>();

  constructor(
    text: string,
    private readonly options: CacheOptions,
  ) {
    this.body = bytesOf(Buffer.from(text));
    this.status = options.status ?? 200;
    this.etag = `W/"${createHash('sha1')
      .update(options.version ?? text)
      .digest('base64url')}"`;
  }

  get size(): number {
    return this.body.length;
  }

  isWorthCompressing(): boolean {
    return this.size > ONE_PACKET_BYTES && !this.options.isChurning?.();
  }

  compressed(encoding: Encoding): Promise<Bytes> | Bytes {
    const cached = this.encoded.get(encoding);
    if (cached) return cached;
    const compressing = compressors[encoding](bufferOf(this.body)).then(bytesOf);
    this.encoded.set(encoding, compressing);
    compressing.then(
      (bytes) => this.encoded.set(encoding, bytes),
      () => this.encoded.delete(encoding),
    );
    return compressing;
  }

  headersOf(
    body: Bytes | undefined,
    encoding: Encoding | undefined,
    createHeaders: (policy?: string) => string[],
  ): string[] {
    const kind = body ? (encoding ?? 'plain') : 'unchanged';
    const cached = this.headers.get(kind);
    if (cached) return cached;
    const { type = 'application/json; charset=utf-8', policy } = this.options;
    const headers = ['etag', this.etag, 'vary', 'Accept, Accept-Encoding', ...createHeaders(policy)];
    if (body) headers.push('content-type', type, 'content-length', String(body.length));
    if (encoding) headers.push('content-encoding', encoding);
    this.headers.set(kind, headers);
    return headers;
  }
}

function encodingOf({ headers }: FastifyRequest): Encoding | undefined {
  const accepted = headers['accept-encoding'];
  if (accepted === undefined) return undefined;
  if (/\bbr\b(?!\s*;\s*q=0(\.0{0,3})?\s*(,|$))/.test(accepted)) return 'br';
  return /\bgzip\b(?!\s*;\s*q=0(\.0{0,3})?\s*(,|$))/.test(accepted) ? 'gzip' : undefined;
}

function hasEtag({ headers }: FastifyRequest, etag: string): boolean {
  const ifNoneMatch = headers['if-none-match'];
  return ifNoneMatch !== undefined && (ifNoneMatch === '*' || ifNoneMatch.includes(etag));
}

/** Corks the socket, so that headers and body are sent in one write. `end(body)` would add a second, empty one. */
function writeWithHeaders(raw: ServerResponse, body: Bytes): void {
  raw.cork();
  raw.write(body, 'latin1');
  raw.uncork();
}
