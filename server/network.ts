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

export const isForwarded = ({ headers }: FastifyRequest) => 'x-forwarded-for' in headers || 'forwarded' in headers;
