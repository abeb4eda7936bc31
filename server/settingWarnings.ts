import { isLoopback } from './http/network';
import type { Settings } from './settings';

const isPublic = ({ publicUrl }: Settings) => !isLoopback(new URL(publicUrl).hostname);

/** With Stripe's test keys on a public address, customers get goods without paying. */
export const isPublicInTestMode = (settings: Settings): boolean =>
  settings.payments.kind === 'stripe' && settings.payments.publishableKey.startsWith('pk_test_') && isPublic(settings);

const AUTHORITY = /^postgres(?:ql)?:\/\/(?:[^/?#]*@)?([^/?#]*)/;
const WITHOUT_TLS = ['disable', 'allow', 'prefer'];

/** @returns the host that DATABASE_URL connects to, undefined for a socket or a URL without a host. */
function databaseHostOf(url: string, query: URLSearchParams): string | undefined {
  const urlHost = AUTHORITY.exec(url)?.[1]?.replace(/:\d*$/, '') ?? '';
  const host = query.getAll('host').at(-1) || urlHost.replaceAll(/%2f/gi, '/');
  return host === '' || host.startsWith('/') ? undefined : host;
}

function findHostWithoutTls({ databaseUrl }: Settings): string | undefined {
  if (databaseUrl === undefined) return undefined;
  const query = new URLSearchParams(/\?(.*)/.exec(databaseUrl)?.[1]);
  const host = databaseHostOf(databaseUrl, query);
  if (host === undefined || isLoopback(host)) return undefined;
  const mode = query.getAll('sslmode').at(-1);
  const usesTls = mode ? !WITHOUT_TLS.includes(mode) : ['true', '1'].includes(query.getAll('ssl').at(-1) ?? '');
  return usesTls ? undefined : host;
}

/** Lists settings that are valid but probably a mistake. Each start logs them, and the doctor prints them. */
export function listSettingWarnings(settings: Settings): string[] {
  const host = findHostWithoutTls(settings);
  return [
    settings.exposed && 'DEMO_EXPOSED=on lets everyone who can reach this server use the demo',
    isPublicInTestMode(settings) &&
      `STRIPE_SECRET_KEY is a test key, but PUBLIC_URL is ${settings.publicUrl}: orders count as paid without money`,
    host !== undefined &&
      `DATABASE_URL connects to ${host} without TLS: add sslmode=verify-full, unless you control the network`,
  ].filter((warning) => warning !== false);
}
