import type { Logger } from 'pino';
import type { Db } from '../db/database';
import type { RateLimit } from '../http/rateLimit';
import type { Settings } from '../settings/settings';
import type { MailSender } from './smtp';

export interface MailContext {
  db: Db;
  now: () => Date;
  log: Logger;
  limit: RateLimit;
  publicUrl: string;
  settings: Pick<Settings, 'shipWithinDays'>;
  /** Undefined if no mail server is configured, so that no email is sent. */
  sender: MailSender | undefined;
  /** Aborted when the server begins to stop. */
  closing: AbortSignal;
  checkpoint: (step: MailCheckpoint) => Promise<void>;
  /** The default is `SEND_TIMEOUT_MS`. Tests use a shorter time. */
  sendTimeoutMs?: number;
}
export type MailCheckpoint = 'send mail' | 'record sent mail';
