import { isLoopback } from '../http/network';
import type { Settings } from './settings';

/** Whether other machines can reach the shop at its address. */
export const hasPublicUrl = ({ publicUrl }: Settings) => !isLoopback(new URL(publicUrl).hostname);

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
function findExposingSetting(settings: Settings): string | undefined {
  if (!isLoopback(settings.host)) return `HOST=${settings.host}`;
  return hasPublicUrl(settings) ? `PUBLIC_URL=${settings.publicUrl}` : undefined;
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

function checkPlainHttp(settings: Settings): string | undefined {
  const { publicUrl } = settings;
  if (publicUrl.startsWith('https:') || !hasPublicUrl(settings)) return undefined;
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
