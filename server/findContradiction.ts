import { isLoopback } from './http/network';

/** What these rules read of the settings, which call them. */
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

/** The parts of the demo that this shop runs on: they trust everybody who reaches them. */
export const embeddedServices = ({ demo, identity, payments }: Settings): string[] =>
  [
    demo && 'the demo',
    identity.kind === 'embedded' && 'the embedded identity',
    identity.kind === 'emulator' && 'the Auth emulator',
    payments.kind === 'sandbox' && 'sandbox payments',
  ].filter((name) => name !== false);

function demoBesideProviders({ demo, identity, payments }: Settings): string | undefined {
  if (!demo) return undefined;
  const providers = [identity.kind === 'firebase' && 'Firebase', payments.kind === 'stripe' && 'Stripe'];
  const named = providers.filter(Boolean).join(' and ');
  return named ? `DEMO must be off with ${named}: remove DEMO=on, or remove the settings of ${named}.` : undefined;
}

/** The first setting with which others reach this server, written as in the environment. */
function publicSetting({ host, publicUrl }: Settings): string | undefined {
  if (!isLoopback(host)) return `HOST=${host}`;
  return isLoopback(hostOf(publicUrl)) ? undefined : `PUBLIC_URL=${publicUrl}`;
}

function rateLimitOff(settings: Settings): string | undefined {
  const named = !settings.rateLimit && publicSetting(settings);
  return named
    ? `RATE_LIMIT must be on with ${named}: it may only be off where nobody else can reach the server.`
    : undefined;
}

function exposedServices(settings: Settings): string | undefined {
  const named = !settings.exposed && publicSetting(settings);
  const services = embeddedServices(settings);
  if (!named || services.length === 0) return undefined;
  return (
    `${named} lets others reach ${services.join(', ')}: ` +
    'configure Firebase, Stripe and DEMO=off, or set DEMO_EXPOSED=on if only you can reach this server.'
  );
}

function plainHttp({ publicUrl }: Settings): string | undefined {
  if (publicUrl.startsWith('https:') || isLoopback(hostOf(publicUrl))) return undefined;
  return `PUBLIC_URL must begin with https:// unless it names this machine, not "${publicUrl}".`;
}

/** @returns a sentence about settings that exclude each other, undefined if there are none. */
export function findContradiction(settings: Settings): string | undefined {
  for (const rule of [demoBesideProviders, rateLimitOff, exposedServices, plainHttp]) {
    const sentence = rule(settings);
    if (sentence) return sentence;
  }
  return undefined;
}
