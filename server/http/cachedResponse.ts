import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { cachedHeaders } from './securityHeaders';
import type { Settings } from '../settings';

type Encoding = 'br' | 'gzip';
type Head = string[];

/** What fits into one packet gains nothing by being packed. */
const ONE_PACKET = 1400;
const QUICK = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const packers = {
  br: (body: Buffer) => promisify(brotliCompress)(body, QUICK),
  gzip: promisify(gzip),
};

interface About {
  type?: string;
  status?: number;
  policy?: string;
  /** Says when to send the bytes as they are: what will be others in a moment is not worth packing. */
  restless?: () => boolean;
}

/**
 * Short bytes as a string of as many characters: Node sends that in one write with the head, a buffer in two. Each
 * character is one byte.
 */
type Bytes = string | Buffer;
const SHORT = 32_768;
const bufferOf = (bytes: Bytes) => (typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
const isHere = (bytes: Bytes | Promise<Bytes>): bytes is Bytes => typeof bytes === 'string' || Buffer.isBuffer(bytes);
const bytesOf = (body: Buffer): Bytes => (body.length > SHORT ? body : body.toString('latin1'));

/** Bytes ready to be sent, with their head; packed when first asked for. */
export class Prepared {
  readonly body: Bytes;
  readonly etag: string;
  readonly heads = new Map<string, Head>();
  private readonly packed = new Map<Encoding, Promise<Bytes> | Bytes>();

  constructor(
    text: string,
    readonly about: About = {},
    hashed: string = text,
  ) {
    this.body = bytesOf(Buffer.from(text));
    this.etag = `W/"${createHash('sha1').update(hashed).digest('base64url')}"`;
  }

  isWorthPacking(): boolean {
    return this.body.length > ONE_PACKET && !this.about.restless?.();
  }

  as(encoding: Encoding): Promise<Bytes> | Bytes {
    const found = this.packed.get(encoding);
    if (found) return found;
    const packing = packers[encoding](bufferOf(this.body)).then(bytesOf);
    this.packed.set(encoding, packing);
    packing.then(
      (bytes) => this.packed.set(encoding, bytes),
      () => this.packed.delete(encoding),
    );
    return packing;
  }
}

function encodingOf({ headers }: FastifyRequest): Encoding | undefined {
  const accepted = headers['accept-encoding'];
  if (accepted === undefined) return undefined;
  if (/\bbr\b(?!\s*;\s*q=0(\.0+)?\b)/.test(accepted)) return 'br';
  return /\bgzip\b(?!\s*;\s*q=0(\.0+)?\b)/.test(accepted) ? 'gzip' : undefined;
}

function has({ headers }: FastifyRequest, etag: string): boolean {
  const given = headers['if-none-match'];
  return given !== undefined && (given === '*' || given.includes(etag));
}

/** Head and body in one write; `end` with a body would add a second, of nothing. */
function writeAtOnce(raw: ServerResponse, body: Bytes): void {
  raw.cork();
  raw.write(body, 'latin1');
  raw.uncork();
}

export type SendPrepared = (request: FastifyRequest, reply: FastifyReply, ready: Prepared) => void | Promise<void>;

/**
 * Sends what is ready: 304 when the caller has it already, packed when the caller can take it. Past the framework's own
 * way of sending, which would put the same dozen headers together again for each request.
 */
export function preparedSender(settings: Settings): SendPrepared {
  const headersFor = cachedHeaders(settings);

  function headOf({ about, etag }: Prepared, body: Bytes | undefined, encoding: Encoding | undefined): Head {
    const { type = 'application/json; charset=utf-8', policy } = about;
    const own = ['etag', etag, 'vary', 'Accept, Accept-Encoding'];
    if (body) own.push('content-type', type, 'content-length', String(body.length));
    if (encoding) own.push('content-encoding', encoding);
    return [...own, ...headersFor(policy)];
  }

  function write(request: FastifyRequest, reply: FastifyReply, ready: Prepared, body?: Bytes, encoding?: Encoding) {
    const kind = body ? (encoding ?? 'plain') : 'same';
    let head = ready.heads.get(kind);
    if (!head) ready.heads.set(kind, (head = headOf(ready, body, encoding)));
    reply.hijack();
    reply.raw.writeHead(body ? (ready.about.status ?? 200) : 304, head.concat('x-request-id', request.id));
    if (body) writeAtOnce(reply.raw, body);
    reply.raw.end();
  }

  return (request, reply, ready) => {
    if (has(request, ready.etag)) return write(request, reply, ready);
    const encoding = ready.isWorthPacking() ? encodingOf(request) : undefined;
    const bytes = encoding ? ready.as(encoding) : ready.body;
    if (isHere(bytes)) return write(request, reply, ready, bytes, encoding);
    return bytes.then((packed) => write(request, reply, ready, packed, encoding));
  };
}
