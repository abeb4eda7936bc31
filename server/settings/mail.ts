import { isLoopback } from '../http/network';
import { readSettingGroup, SettingError, type Env } from './readers';

export interface SmtpServer {
  host: string;
  port: number;
  /** Whether the connection starts with TLS. Otherwise it changes to TLS if the mail server offers that. */
  secure: boolean;
  auth: { user: string; pass: string } | undefined;
}

export interface Mailbox {
  name: string;
  address: string;
}

export interface MailSettings {
  server: SmtpServer;
  from: Mailbox;
}

const SUBMISSION_PORT = 587;
const SUBMISSION_OVER_TLS_PORT = 465;

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/**
 * Refuses a query, because Nodemailer would read it as its own options. These can print the password or turn off TLS.
 */
function parseSmtpUrl(text: string): SmtpServer | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^smtps?:$/.test(url.protocol) || !url.hostname) return undefined;
  if (url.search || url.hash || !/^\/?$/.test(url.pathname)) return undefined;
  const [user, pass] = [decode(url.username), decode(url.password)];
  if (user === undefined || pass === undefined || (user === '') !== (pass === '')) return undefined;
  const secure = url.protocol === 'smtps:';
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (secure ? SUBMISSION_OVER_TLS_PORT : SUBMISSION_PORT),
    secure,
    auth: user === '' ? undefined : { user, pass },
  };
}

const WITH_NAME = /^([^<>]*)<([^<>]*)>$/;
const ADDRESS = /^[^\s<>@,;:"()]+@[a-z0-9-]+(?:\.[a-z0-9-]+)*$/i;

/**
 * Accepts `Forgeline <shop@example.com>` and `shop@example.com`. Refuses line breaks, because they would add a header
 * to each email.
 */
function parseMailFrom(text: string): Mailbox | undefined {
  if (/\p{Cc}/u.test(text)) return undefined;
  const [, name = '', address = text] = WITH_NAME.exec(text) ?? [];
  return ADDRESS.test(address) ? { name: name.trim().replace(/^"(.*)"$/, '$1'), address } : undefined;
}

/** The error messages do not quote SMTP_URL, because a password can be in it. */
export function readMailSettings(env: Env): MailSettings | undefined {
  const values = readSettingGroup(env, ['SMTP_URL', 'MAIL_FROM']);
  if (!values) return undefined;
  const [smtpUrl, mailFrom] = values as [string, string];
  const server = parseSmtpUrl(smtpUrl);
  if (!server) throw new SettingError('SMTP_URL must be a URL like smtps://user:password@mail.example:465.');
  const from = parseMailFrom(mailFrom);
  if (!from)
    throw new SettingError(
      `MAIL_FROM must be an address like Forgeline <shop@example.com>, not ${JSON.stringify(mailFrom)}.`,
    );
  return { server, from };
}

/**
 * A mail server on this machine needs no TLS with a valid certificate, because no other machine can read what is sent
 * to it.
 */
export const isLocalServer = ({ host }: SmtpServer) => isLoopback(host);
