import { isLoopback } from './http/network';
import type { Settings } from './settings';

const isPublic = ({ publicUrl }: Settings) => !isLoopback(new URL(publicUrl).hostname);

/** Stripe's test keys where customers can order: nobody pays for what they get. */
export const sellsInTestMode = (settings: Settings): boolean =>
  settings.payments.kind === 'stripe' && settings.payments.publishableKey.startsWith('pk_test_') && isPublic(settings);

const AUTHORITY = /^postgres(?:ql)?:\/\/(?:[^/?#]*@)?([^/?#]*)/;
const WITHOUT_TLS = ['disable', 'allow', 'prefer'];

/** @returns the host that DATABASE_URL connects to, undefined for a socket or a URL without a host. */
function databaseHost(url: string, asked: URLSearchParams): string | undefined {
  const named = AUTHORITY.exec(url)?.[1]?.replace(/:\d*$/, '') ?? '';
  const host = asked.getAll('host').at(-1) || named.replaceAll(/%2f/gi, '/');
  return host === '' || host.startsWith('/') ? undefined : host;
}

function remoteDatabaseWithoutTls({ databaseUrl }: Settings): string | undefined {
  if (databaseUrl === undefined) return undefined;
  const asked = new URLSearchParams(/\?(.*)/.exec(databaseUrl)?.[1]);
  const host = databaseHost(databaseUrl, asked);
  if (host === undefined || isLoopback(host)) return undefined;
  const mode = asked.getAll('sslmode').at(-1);
  const usesTls = mode ? !WITHOUT_TLS.includes(mode) : ['true', '1'].includes(asked.getAll('ssl').at(-1) ?? '');
  return usesTls ? undefined : host;
}

/** What may be meant, but is seldom: logged at each start, and printed by the doctor. */
export function settingWarnings(settings: Settings): string[] {
  const host = remoteDatabaseWithoutTls(settings);
  return [
    settings.exposed && 'DEMO_EXPOSED=on: everybody who reaches this server can use the demo',
    sellsInTestMode(settings) &&
      `STRIPE_SECRET_KEY is a test key and PUBLIC_URL is ${settings.publicUrl}: no money moves, and orders count as paid`,
    host !== undefined &&
      `DATABASE_URL connects to ${host} without TLS: add sslmode=verify-full, unless the network between is yours alone`,
  ].filter((warning) => warning !== false);
}
