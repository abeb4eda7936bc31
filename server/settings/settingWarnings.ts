import { isLoopback } from '../http/network';
import { hasPublicUrl } from './findSettingContradiction';
import type { Settings } from './settings';

/** With Stripe's test keys, anyone on the internet could order without paying real money. */
export const isPublicInTestMode = (settings: Settings): boolean =>
  settings.payments.kind === 'stripe' &&
  settings.payments.publishableKey.startsWith('pk_test_') &&
  hasPublicUrl(settings);

const AUTHORITY = /^postgres(?:ql)?:\/\/(?:[^/?#]*@)?([^/?#]*)/;
const WITHOUT_TLS = ['disable', 'allow', 'prefer'];

/** @returns the host in a database URL, or undefined if it is a socket or missing */
function databaseHostOf(url: string, query: URLSearchParams): string | undefined {
  const urlHost = AUTHORITY.exec(url)?.[1]?.replace(/:\d*$/, '') ?? '';
  const host = query.getAll('host').at(-1) || urlHost.replaceAll(/%2f/gi, '/');
  return host === '' || host.startsWith('/') ? undefined : host;
}

function findHostWithoutTls(url: string): string | undefined {
  const query = new URLSearchParams(/\?(.*)/.exec(url)?.[1]);
  const host = databaseHostOf(url, query);
  if (host === undefined || isLoopback(host)) return undefined;
  const mode = query.getAll('sslmode').at(-1);
  const usesTls = mode ? !WITHOUT_TLS.includes(mode) : ['true', '1'].includes(query.getAll('ssl').at(-1) ?? '');
  return usesTls ? undefined : host;
}

function warnWithoutTls(databaseUrl: string | undefined): string | false {
  const host = databaseUrl === undefined ? undefined : findHostWithoutTls(databaseUrl);
  if (host === undefined) return false;
  return `DATABASE_URL connects to ${host} without TLS: add sslmode=verify-full, unless you control the network`;
}

/** Lists settings that are valid but probably a mistake. Each start logs them, and the doctor prints them. */
export function listSettingWarnings(settings: Settings): string[] {
  return [
    settings.exposed && 'DEMO_EXPOSED=on lets everyone who can reach this server use the demo',
    isPublicInTestMode(settings) &&
      `STRIPE_SECRET_KEY is a test key, but PUBLIC_URL is ${settings.publicUrl}: orders are marked as paid although no money is charged`,
    warnWithoutTls(settings.databaseUrl),
  ].filter((warning) => warning !== false);
}
