import { isLoopback } from '../http/network';

/**
 * The part of `Settings` that these rules read. `Settings` itself cannot be imported, because settings.ts imports this
 * file.
 */
interface Settings {
  demo: boolean;
  exposed: boolean;
  host: string;
  identity: { kind: string };
  payments: { kind: string };
  publicUrl: string;
  rateLimit: boolean;
}

const hostOf = (origin: string) => new URL(origin).hostname;

/** Names the services in use that trust everyone who can reach them. */
export const listEmbeddedServices = ({ demo, identity, payments }: Settings): string[] =>
  [
    demo && 'the demo',
    identity.kind === 'embedded' && 'the embedded identity',
    identity.kind === 'emulator' && 'the Auth emulator',
    payments.kind === 'sandbox' && 'sandbox payments',
  ].filter((name) => name !== false);

function checkDemo({ demo, identity, payments }: Settings): string | undefined {
  if (!demo) return undefined;
  const providers = [identity.kind === 'firebase' && 'Firebase', payments.kind === 'stripe' && 'Stripe'];
  const names = providers.filter(Boolean).join(' and ');
  return names ? `DEMO can't be used together with ${names}. Remove DEMO=on, or the settings of ${names}.` : undefined;
}

/** @returns the first setting that makes this server reachable from other machines, as `NAME=value` */
function findExposingSetting({ host, publicUrl }: Settings): string | undefined {
  if (!isLoopback(host)) return `HOST=${host}`;
  return isLoopback(hostOf(publicUrl)) ? undefined : `PUBLIC_URL=${publicUrl}`;
}

function checkRateLimit(settings: Settings): string | undefined {
  const exposingSetting = !settings.rateLimit && findExposingSetting(settings);
  return exposingSetting
    ? `RATE_LIMIT can't be off while ${exposingSetting} is set. Turn it off only on a server that nobody else can reach.`
    : undefined;
}

function checkExposedServices(settings: Settings): string | undefined {
  const exposingSetting = !settings.exposed && findExposingSetting(settings);
  const services = listEmbeddedServices(settings);
  if (!exposingSetting || services.length === 0) return undefined;
  return (
    `${exposingSetting} lets others reach ${services.join(', ')}: ` +
    'configure Firebase, Stripe and DEMO=off, or set DEMO_EXPOSED=on if only you can reach this server.'
  );
}

function checkPlainHttp({ publicUrl }: Settings): string | undefined {
  if (publicUrl.startsWith('https:') || isLoopback(hostOf(publicUrl))) return undefined;
  return `PUBLIC_URL must begin with https:// unless it is a loopback address, not "${publicUrl}".`;
}

/** @returns a sentence about the first contradiction, or undefined */
export function findSettingContradiction(settings: Settings): string | undefined {
  for (const rule of [checkDemo, checkRateLimit, checkExposedServices, checkPlainHttp]) {
    const sentence = rule(settings);
    if (sentence) return sentence;
  }
  return undefined;
}
