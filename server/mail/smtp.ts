import { createTransport } from 'nodemailer';
import { isLocalServer, type Mailbox, type MailSettings } from '../settings/mail';
import type { RenderedMail } from './templates';

export interface OutgoingMail extends RenderedMail {
  to: Mailbox;
  messageId: string;
  date: Date;
}

interface SmtpReply {
  code?: string;
  responseCode?: number;
  command?: string;
  response?: string;
}

/** The email was not sent, usually because the mail server did not accept it. */
export class MailError extends Error {
  /** The fields that may be logged. `message` must not be logged, because it can contain the customer's address. */
  readonly details: Omit<SmtpReply, 'response'>;
  /** Whether trying again is useless, because the mail server refuses the recipient for good. */
  readonly isFinal: boolean;

  constructor(message: string, { code, responseCode, command, response }: SmtpReply = {}) {
    super(message);
    this.details = { code, responseCode, command };
    this.isFinal = isRefusedRecipient({ responseCode, command, response });
  }
}

/**
 * Only a refused recipient is final. All other errors may be temporary: the operator can fix a wrong password, a wrong
 * sender or a violated policy (5.7), and then the email can be sent.
 */
const isRefusedRecipient = ({ responseCode = 0, command, response = '' }: SmtpReply) =>
  command === 'RCPT TO' && responseCode >= 550 && responseCode < 560 && !/^\d{3}[ -]5\.7\./.test(response);

export interface MailSender {
  /**
   * Aborting the signal closes the connection.
   * @throws MailError if the mail server does not accept the email
   */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<void>;
}

/** Sends through the mail server of SMTP_URL. */
export function createSmtpSender({ server, from }: MailSettings): MailSender {
  const isLocal = isLocalServer(server);
  const transport = createTransport({
    ...server,
    // Never sends the password over the network without TLS, even if the mail server does not seem to offer it: an
    // attacker could have removed the offer. A mail server on this machine needs no TLS.
    requireTLS: !server.secure && server.auth !== undefined && !isLocal,
    tls: { rejectUnauthorized: !isLocal },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(mail, signal) {
      const headers = { 'Auto-Submitted': 'auto-generated' };
      await transport.sendMail({ ...mail, from, headers, signal }).catch((error: Error & SmtpReply) => {
        throw new MailError(signal.aborted ? 'The mail server did not respond in time.' : error.message, error);
      });
    },
  };
}
