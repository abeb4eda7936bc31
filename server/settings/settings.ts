import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { domainToASCII } from 'node:url';
import { findSettingContradiction } from './findSettingContradiction';
import { readMailSettings, type MailSettings } from './mail';
import { findProjectRoot } from '../projectRoot';
import {
  readList,
  readOnOff,
  readSettingGroup,
  readVariable,
  readWholeNumber,
  SettingError,
  type Env,
} from './readers';

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
  /** How many days after a payment customers are told that their order ships. */
  shipWithinDays: number;
  maxUnpaidOrders: number;
  /** How many hours an order holds its stock after an admin has offered a price for it. */
  offerHours: number;
  /** Whether the shop automatically refunds money that arrived too late. */
  refundLate: boolean;
  /** Undefined if the shop sends no email. */
  mail: MailSettings | undefined;
  rateLimit: boolean;
  trustProxy: string[];
  metricsToken: string | undefined;
  /** The hosts besides this site from which pictures may come, or undefined for any host. */
  imgHosts: string[] | undefined;
  logLevel: string;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const MIN_METRICS_TOKEN_LENGTH = 16;

function readPublicUrl(env: Env, port: number): string {
  const text = readVariable(env, 'PUBLIC_URL') ?? `http://localhost:${port}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search || url.hash || url.username)
    throw new SettingError(`PUBLIC_URL must be an origin like https://shop.example, not "${text}".`);
  return url.origin;
}

/** These query parameters are refused, because they would silently override the session options of db/database.ts. */
const RESERVED_QUERY_PARAMETERS = [
  'options',
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
  'query_timeout',
];

function readDatabaseUrl(env: Env): string | undefined {
  const text = readVariable(env, 'DATABASE_URL');
  if (text === undefined) return undefined;
  if (!/^postgres(ql)?:\/\/./.test(text))
    throw new SettingError('DATABASE_URL must begin with postgres:// or postgresql://.');
  const query = new URLSearchParams(/\?(.*)/.exec(text)?.[1]);
  const reserved = RESERVED_QUERY_PARAMETERS.find((name) => query.has(name));
  if (reserved) throw new SettingError(`DATABASE_URL must not set ${reserved}. Remove it: Forgeline sets it itself.`);
  return text;
}

function readIdentity(env: Env): IdentitySettings {
  const emulator = readVariable(env, 'FIREBASE_AUTH_EMULATOR_HOST');
  if (emulator !== undefined) return readEmulator(env, emulator);
  const names = ['FIREBASE_API_KEY', 'FIREBASE_AUTH_DOMAIN', 'FIREBASE_PROJECT_ID', 'FIREBASE_APP_ID'];
  const values = readSettingGroup(env, names);
  if (!values) return { kind: 'embedded' };
  const [apiKey, authDomain, projectId, appId] = values as [string, string, string, string];
  if (!/^[a-z0-9.-]+$/i.test(authDomain))
    throw new SettingError(`FIREBASE_AUTH_DOMAIN must be a host name, not "${authDomain}".`);
  return { kind: 'firebase', apiKey, authDomain, projectId, appId };
}

function readEmulator(env: Env, host: string): IdentitySettings {
  const projectId = readVariable(env, 'FIREBASE_PROJECT_ID');
  const others = ['FIREBASE_API_KEY', 'FIREBASE_AUTH_DOMAIN', 'FIREBASE_APP_ID'].filter((name) =>
    readVariable(env, name),
  );
  if (!projectId) throw new SettingError('FIREBASE_AUTH_EMULATOR_HOST is set, so FIREBASE_PROJECT_ID must be set too.');
  if (others.length > 0)
    throw new SettingError(`FIREBASE_AUTH_EMULATOR_HOST is set, so ${others.join(', ')} must not be set.`);
  const port = Number(/^[a-z0-9.[\]:-]+:(\d{1,5})$/i.exec(host)?.[1]);
  if (!(port >= 1 && port <= 65_535))
    throw new SettingError(`FIREBASE_AUTH_EMULATOR_HOST must be host:port, not "${host}".`);
  return { kind: 'emulator', host, projectId };
}

function readPayments(env: Env): PaymentSettings {
  const values = readSettingGroup(env, ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY']);
  const webhookSecret = readVariable(env, 'STRIPE_WEBHOOK_SECRET');
  if (!values) {
    if (webhookSecret)
      throw new SettingError(
        'STRIPE_WEBHOOK_SECRET is set, so STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY must be set too.',
      );
    return { kind: 'sandbox' };
  }
  const [secretKey, publishableKey] = values as [string, string];
  const mode = /^(?:sk|rk)_(test|live)_./.exec(secretKey)?.[1];
  if (!mode) throw new SettingError('STRIPE_SECRET_KEY must begin with sk_test_, sk_live_, rk_test_ or rk_live_.');
  if (!publishableKey.startsWith(`pk_${mode}_`))
    throw new SettingError(
      `STRIPE_PUBLISHABLE_KEY must begin with pk_${mode}_, to match the mode of STRIPE_SECRET_KEY.`,
    );
  if (webhookSecret && !webhookSecret.startsWith('whsec_'))
    throw new SettingError('STRIPE_WEBHOOK_SECRET must begin with whsec_.');
  return { kind: 'stripe', secretKey, publishableKey, webhookSecret };
}

function readTrustedProxies(env: Env): string[] {
  const ranges = readList(env, 'TRUST_PROXY');
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const size = isIP(address) === 4 ? 32 : 128;
    if (!isIP(address) || (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= size)))
      throw new SettingError(`TRUST_PROXY must be a comma-separated list of IP addresses or CIDRs, not "${range}".`);
  }
  return ranges;
}

function readAdminEmails(env: Env): string[] {
  const list = readList(env, 'ADMIN_EMAILS');
  const bad = list.find((address) => !/^[^@\s]+@[^@\s]+$/.test(address));
  if (bad) throw new SettingError(`ADMIN_EMAILS must be a comma-separated list of emails, not "${bad}".`);
  return list;
}

const MAX_HOST_NAME_LENGTH = 253;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** @returns the host name in the form that browsers compare, or undefined if the text is not a host name */
function hostNameOf(text: string): string | undefined {
  // `domainToASCII` would silently drop a path after the name.
  if (/[/?#\\]/.test(text)) return undefined;
  const name = domainToASCII(text);
  const labels = name.split('.');
  const isName = name.length <= MAX_HOST_NAME_LENGTH && labels.every((label) => LABEL.test(label));
  return isName && !/^\d+$/.test(labels.at(-1)!) ? name : undefined;
}

function readImageHosts(env: Env): string[] | undefined {
  const text = readVariable(env, 'IMG_HOSTS');
  return text?.split(',').map((host) => {
    const name = hostNameOf(host.trim());
    if (!name) throw new SettingError(`IMG_HOSTS must be a comma-separated list of host names, not "${host.trim()}".`);
    return name;
  });
}

function readAccessTokenSecret(env: Env): string | undefined {
  const text = readVariable(env, 'ACCESS_TOKEN_SECRET');
  if (text !== undefined && Buffer.byteLength(text) < 32)
    throw new SettingError('ACCESS_TOKEN_SECRET must be at least 32 bytes long.');
  return text;
}

function readLogLevel(env: Env): string {
  const text = readVariable(env, 'LOG_LEVEL') ?? 'info';
  if (!LOG_LEVELS.includes(text))
    throw new SettingError(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}, not "${text}".`);
  return text;
}

/** The error message is printed, so it contains only the length of the token. */
function readMetricsToken(env: Env): string | undefined {
  const text = readVariable(env, 'METRICS_TOKEN');
  if (text !== undefined && text.length < MIN_METRICS_TOKEN_LENGTH)
    throw new SettingError(
      `METRICS_TOKEN must have at least ${MIN_METRICS_TOKEN_LENGTH} characters, not ${text.length}.`,
    );
  return text;
}

export function readSettings(env: Env): Settings {
  const port = readWholeNumber(env, 'PORT', 3000, 0, 65_535);
  const identity = readIdentity(env);
  const payments = readPayments(env);
  const databaseUrl = readDatabaseUrl(env);
  const settings: Settings = {
    port,
    host: readVariable(env, 'HOST') ?? '127.0.0.1',
    publicUrl: readPublicUrl(env, port),
    dataDir: resolve(findProjectRoot(), readVariable(env, 'DATA_DIR') ?? '.data'),
    databaseUrl,
    demo: readOnOff(env, 'DEMO', identity.kind === 'embedded' && payments.kind === 'sandbox' && !databaseUrl),
    exposed: readOnOff(env, 'DEMO_EXPOSED', false),
    adminEmails: readAdminEmails(env),
    accessTokenSecret: readAccessTokenSecret(env),
    identity,
    payments,
    holdHours: readWholeNumber(env, 'HOLD_HOURS', 2, 1, 720),
    shipWithinDays: readWholeNumber(env, 'SHIP_WITHIN_DAYS', 2, 1, 60),
    maxUnpaidOrders: readWholeNumber(env, 'MAX_UNPAID_ORDERS', 10, 1, 10_000),
    offerHours: readWholeNumber(env, 'OFFER_HOURS', 72, 1, 720),
    refundLate: readOnOff(env, 'REFUND_LATE', true),
    mail: readMailSettings(env),
    rateLimit: readOnOff(env, 'RATE_LIMIT', true),
    trustProxy: readTrustedProxies(env),
    metricsToken: readMetricsToken(env),
    imgHosts: readImageHosts(env),
    logLevel: readLogLevel(env),
  };
  const contradiction = findSettingContradiction(settings);
  if (contradiction) throw new SettingError(contradiction);
  return settings;
}
