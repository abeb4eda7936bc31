import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { domainToASCII } from 'node:url';
import { findContradiction } from './findContradiction';
import { projectRoot } from './projectRoot';

/** A wrong setting: the server prints this one sentence and does not start. */
export class SettingError extends Error {}

export type IdentitySettings =
  | { kind: 'embedded' }
  | { kind: 'firebase'; apiKey: string; authDomain: string; projectId: string; appId: string }
  | { kind: 'emulator'; host: string; projectId: string };

export type PaymentSettings =
  | { kind: 'sandbox' }
  | { kind: 'stripe'; secretKey: string; publishableKey: string; webhookSecret: string | undefined };

export interface Settings {
  port: number;
  host: string;
  publicUrl: string;
  dataDir: string;
  databaseUrl: string | undefined;
  demo: boolean;
  exposed: boolean;
  adminEmails: string[];
  accessTokenSecret: string | undefined;
  identity: IdentitySettings;
  payments: PaymentSettings;
  holdHours: number;
  maxUnpaidOrders: number;
  rateLimit: boolean;
  trustProxy: string[];
  metricsToken: string | undefined;
  /** The hosts that pictures may come from besides this site, or undefined for any host. */
  imgHosts: string[] | undefined;
  logLevel: string;
}

type Env = Record<string, string | undefined>;

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const METRICS_TOKEN_CHARACTERS = 16;

const wrong = (sentence: string) => new SettingError(sentence);
const given = (env: Env, name: string) => env[name]?.trim() || undefined;

function whole(env: Env, name: string, fallback: number, min: number, max: number): number {
  const text = given(env, name);
  if (text === undefined) return fallback;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  if (!(value >= min && value <= max))
    throw wrong(`${name} must be a whole number from ${min} to ${max}, not "${text}".`);
  return value;
}

function onOff(env: Env, name: string, fallback: boolean): boolean {
  const text = given(env, name)?.toLowerCase();
  if (text === undefined) return fallback;
  if (text !== 'on' && text !== 'off') throw wrong(`${name} must be on or off, not "${text}".`);
  return text === 'on';
}

function origin(env: Env, port: number): string {
  const text = given(env, 'PUBLIC_URL') ?? `http://localhost:${port}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search || url.hash || url.username)
    throw wrong(`PUBLIC_URL must be an origin like https://shop.example, not "${text}".`);
  return url.origin;
}

/** In the address they would take the place of what each session promises (db/open.ts), and nobody would notice. */
const RESERVED_QUERY_PARAMETERS = [
  'options',
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
  'query_timeout',
];

function databaseUrl(env: Env): string | undefined {
  const text = given(env, 'DATABASE_URL');
  if (text === undefined) return undefined;
  if (!/^postgres(ql)?:\/\/./.test(text)) throw wrong('DATABASE_URL must begin with postgres:// or postgresql://.');
  const asked = new URLSearchParams(/\?(.*)/.exec(text)?.[1]);
  const ours = RESERVED_QUERY_PARAMETERS.find((name) => asked.has(name));
  if (ours) throw wrong(`DATABASE_URL must not set ${ours}: Forgeline sets it for each of its sessions.`);
  return text;
}

/** All of a group, or none of it. */
function group(env: Env, names: string[]): string[] | undefined {
  const values = names.map((name) => given(env, name));
  const missing = names.filter((_, i) => values[i] === undefined);
  if (missing.length === names.length) return undefined;
  if (missing.length > 0)
    throw wrong(
      `${names.filter((name) => given(env, name)).join(', ')} is set, so ${missing.join(', ')} must be set too.`,
    );
  return values as string[];
}

function identity(env: Env): IdentitySettings {
  const emulator = given(env, 'FIREBASE_AUTH_EMULATOR_HOST');
  if (emulator !== undefined) return emulatorSettings(env, emulator);
  const names = ['FIREBASE_API_KEY', 'FIREBASE_AUTH_DOMAIN', 'FIREBASE_PROJECT_ID', 'FIREBASE_APP_ID'];
  const found = group(env, names);
  if (!found) return { kind: 'embedded' };
  const [apiKey, authDomain, projectId, appId] = found as [string, string, string, string];
  if (!/^[a-z0-9.-]+$/i.test(authDomain)) throw wrong(`FIREBASE_AUTH_DOMAIN must be a host name, not "${authDomain}".`);
  return { kind: 'firebase', apiKey, authDomain, projectId, appId };
}

function emulatorSettings(env: Env, host: string): IdentitySettings {
  const projectId = given(env, 'FIREBASE_PROJECT_ID');
  const others = ['FIREBASE_API_KEY', 'FIREBASE_AUTH_DOMAIN', 'FIREBASE_APP_ID'].filter((name) => given(env, name));
  if (!projectId) throw wrong('FIREBASE_AUTH_EMULATOR_HOST needs FIREBASE_PROJECT_ID.');
  if (others.length > 0) throw wrong(`FIREBASE_AUTH_EMULATOR_HOST is set, so ${others.join(', ')} must not be.`);
  const port = Number(/^[a-z0-9.[\]:-]+:(\d{1,5})$/i.exec(host)?.[1]);
  if (!(port >= 1 && port <= 65_535)) throw wrong(`FIREBASE_AUTH_EMULATOR_HOST must be host:port, not "${host}".`);
  return { kind: 'emulator', host, projectId };
}

function payments(env: Env): PaymentSettings {
  const found = group(env, ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY']);
  const webhookSecret = given(env, 'STRIPE_WEBHOOK_SECRET');
  if (!found) {
    if (webhookSecret)
      throw wrong('STRIPE_WEBHOOK_SECRET is set, so STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY must be set too.');
    return { kind: 'sandbox' };
  }
  const [secretKey, publishableKey] = found as [string, string];
  const mode = /^(?:sk|rk)_(test|live)_./.exec(secretKey)?.[1];
  if (!mode) throw wrong('STRIPE_SECRET_KEY must begin with sk_test_, sk_live_, rk_test_ or rk_live_.');
  if (!publishableKey.startsWith(`pk_${mode}_`))
    throw wrong(`STRIPE_PUBLISHABLE_KEY must begin with pk_${mode}_, as the secret key is of that mode.`);
  if (webhookSecret && !webhookSecret.startsWith('whsec_'))
    throw wrong('STRIPE_WEBHOOK_SECRET must begin with whsec_.');
  return { kind: 'stripe', secretKey, publishableKey, webhookSecret };
}

function proxies(env: Env): string[] {
  const ranges = (given(env, 'TRUST_PROXY') ?? '')
    .split(',')
    .map((range) => range.trim())
    .filter(Boolean);
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const size = isIP(address) === 4 ? 32 : 128;
    if (!isIP(address) || (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= size)))
      throw wrong(`TRUST_PROXY must be a comma-separated list of addresses or CIDRs; "${range}" is neither.`);
  }
  return ranges;
}

function addresses(env: Env): string[] {
  const list = (given(env, 'ADMIN_EMAILS') ?? '')
    .split(',')
    .map((address) => address.trim())
    .filter(Boolean);
  const bad = list.find((address) => !/^[^@\s]+@[^@\s]+$/.test(address));
  if (bad) throw wrong(`ADMIN_EMAILS must be a comma-separated list of addresses; "${bad}" is none.`);
  return list;
}

const LONGEST_NAME = 253;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** @returns the host name as browsers compare it, or undefined when it is not a host name. */
function hostNameOf(text: string): string | undefined {
  // Node.js drops a path behind the name.
  if (/[/?#\\]/.test(text)) return undefined;
  const name = domainToASCII(text);
  const labels = name.split('.');
  const isName = name.length <= LONGEST_NAME && labels.every((label) => LABEL.test(label));
  return isName && !/^\d+$/.test(labels.at(-1)!) ? name : undefined;
}

function imageHosts(env: Env): string[] | undefined {
  const text = given(env, 'IMG_HOSTS');
  return text?.split(',').map((host) => {
    const name = hostNameOf(host.trim());
    if (!name) throw wrong(`IMG_HOSTS must be a comma-separated list of host names; "${host.trim()}" is not one.`);
    return name;
  });
}

function secret(env: Env): string | undefined {
  const text = given(env, 'ACCESS_TOKEN_SECRET');
  if (text !== undefined && Buffer.byteLength(text) < 32)
    throw wrong('ACCESS_TOKEN_SECRET must be at least 32 bytes long.');
  return text;
}

function level(env: Env): string {
  const text = given(env, 'LOG_LEVEL') ?? 'info';
  if (!LEVELS.includes(text)) throw wrong(`LOG_LEVEL must be one of ${LEVELS.join(', ')}, not "${text}".`);
  return text;
}

/** The length is named, the token is not: this sentence is printed. */
function metricsToken(env: Env): string | undefined {
  const text = given(env, 'METRICS_TOKEN');
  if (text !== undefined && text.length < METRICS_TOKEN_CHARACTERS)
    throw wrong(`METRICS_TOKEN must have at least ${METRICS_TOKEN_CHARACTERS} characters, not ${text.length}.`);
  return text;
}

export function readSettings(env: Env): Settings {
  const port = whole(env, 'PORT', 3000, 0, 65_535);
  const who = identity(env);
  const pay = payments(env);
  const url = databaseUrl(env);
  const settings: Settings = {
    port,
    host: given(env, 'HOST') ?? '127.0.0.1',
    publicUrl: origin(env, port),
    dataDir: resolve(projectRoot(), given(env, 'DATA_DIR') ?? '.data'),
    databaseUrl: url,
    demo: onOff(env, 'DEMO', who.kind === 'embedded' && pay.kind === 'sandbox' && !url),
    exposed: onOff(env, 'DEMO_EXPOSED', false),
    adminEmails: addresses(env),
    accessTokenSecret: secret(env),
    identity: who,
    payments: pay,
    holdHours: whole(env, 'HOLD_HOURS', 2, 1, 720),
    maxUnpaidOrders: whole(env, 'MAX_UNPAID_ORDERS', 10, 1, 10_000),
    rateLimit: onOff(env, 'RATE_LIMIT', true),
    trustProxy: proxies(env),
    metricsToken: metricsToken(env),
    imgHosts: imageHosts(env),
    logLevel: level(env),
  };
  const contradiction = findContradiction(settings);
  if (contradiction) throw wrong(contradiction);
  return settings;
}
