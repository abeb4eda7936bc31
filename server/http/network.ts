import type { FastifyRequest } from 'fastify';

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * Whom a limit counts. An IPv6 line comes with 2^64 addresses of its own, so its first half is counted;
 * an IPv4 address stands for itself.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const mapped = MAPPED.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = '', tail] = address.split('%')[0]!.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail ? tail.split(':') : [];
  const between = tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0');
  const half = [...left, ...between, ...right].slice(0, 4).map((group) => parseInt(group, 16).toString(16));
  return `${half.join(':')}::/64`;
}

const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const LOOPBACK_NAME = `localhost\\.?|127(?:\\.${OCTET}){3}`;
const LOOPBACK = new RegExp(`^(?:${LOOPBACK_NAME}|\\[?::1\\]?)$`, 'i');
const LOOPBACK_HOST = new RegExp(`^(?:${LOOPBACK_NAME}|\\[::1\\])(?::\\d{1,5})?$`, 'i');

/** A host name or address that only this machine itself can reach. */
export const isLoopback = (host: string) => LOOPBACK.test(host);

/** An address of a customer that a proxy wrote down. */
export const hasForwardedAddress = ({ headers }: FastifyRequest) =>
  'x-forwarded-for' in headers || 'forwarded' in headers;

/** What proxies and tunnels add. `x-forwarded-` is a prefix. */
const BY_PROXY = /^(?:x-forwarded-.*|forwarded|via|x-real-ip)$/i;
const [F, H, V, X] = [...'fhvx'].map((letter) => letter.charCodeAt(0));
const LOWER_CASE = 32;
const SLASH = 47;

/**
 * Whether a request came from this machine directly, as far as it says itself. Read from the raw headers, because
 * Node.js keeps only the first of several `Host` headers. An absolute target would count instead of `Host`.
 * Every request pays for this loop: looking at first letters makes it four times as fast as the pattern alone.
 */
export function isFromThisMachine({ raw }: FastifyRequest): boolean {
  if (raw.url?.charCodeAt(0) !== SLASH) return false;
  const { rawHeaders } = raw;
  let host: string | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    const first = name.charCodeAt(0) | LOWER_CASE;
    if (first === H && name.toLowerCase() === 'host') {
      if (host !== undefined) return false;
      host = rawHeaders[i + 1]!;
    } else if ((first === X || first === F || first === V) && BY_PROXY.test(name)) return false;
  }
  return host !== undefined && LOOPBACK_HOST.test(host);
}
