import type { FastifyRequest } from 'fastify';

const IPV4_MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * Rate limits count an IPv6 network as one client, because each IPv6 customer gets at least a /64 network.
 * @returns the IPv4 address, or the /64 prefix of the IPv6 address
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const mapped = IPV4_MAPPED.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = '', tail] = address.split('%')[0]!.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail ? tail.split(':') : [];
  const between = tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0');
  const prefix = [...left, ...between, ...right].slice(0, 4).map((group) => parseInt(group, 16).toString(16));
  return `${prefix.join(':')}::/64`;
}

const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const LOOPBACK_NAME = `localhost\\.?|127(?:\\.${OCTET}){3}`;
const LOOPBACK = new RegExp(`^(?:${LOOPBACK_NAME}|\\[?::1\\]?)$`, 'i');
const LOOPBACK_HOST = new RegExp(`^(?:${LOOPBACK_NAME}|\\[::1\\])(?::\\d{1,5})?$`, 'i');

/** @returns whether this host is reachable only from the same machine */
export const isLoopback = (host: string) => LOOPBACK.test(host);

/** @returns whether a proxy has added the client's IP address to the headers */
export const hasForwardedAddress = ({ headers }: FastifyRequest) =>
  'x-forwarded-for' in headers || 'forwarded' in headers;

/** Matches the headers that proxies and tunnels add. */
const PROXY_HEADER = /^(?:x-forwarded-.*|forwarded|via|x-real-ip)$/i;
const [F, H, V, X] = [...'fhvx'].map((letter) => letter.charCodeAt(0));
const LOWER_CASE_BIT = 32;
const SLASH = 47;

/**
 * Checks that the host is a loopback address and that no header comes from a proxy. Reads the raw headers, because
 * otherwise Node shows only the first of several `Host` headers. Rejects a request whose target is a whole URL, because
 * the URL's host overrides `Host`. Comparing first letters makes this check, which runs for every request, four times
 * as fast as the pattern alone.
 */
export function isFromThisMachine({ raw }: FastifyRequest): boolean {
  if (raw.url?.charCodeAt(0) !== SLASH) return false;
  const { rawHeaders } = raw;
  let host: string | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    const firstLetter = name.charCodeAt(0) | LOWER_CASE_BIT;
    if (firstLetter === H && name.toLowerCase() === 'host') {
      if (host !== undefined) return false;
      host = rawHeaders[i + 1]!;
    } else if ((firstLetter === X || firstLetter === F || firstLetter === V) && PROXY_HEADER.test(name)) return false;
  }
  return host !== undefined && LOOPBACK_HOST.test(host);
}
