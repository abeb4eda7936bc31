import { createTransport } from 'nodemailer';
import { isLocalServer, type Mailbox, type MailSettings } from '../settingParts/mail';
import type { MailText } from './templates';

export interface OutgoingMail extends MailText {
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

/** The mail server did not accept the email. */
export class MailError extends Error {
  /** The fields that may be logged. The message itself can contain the customer's address. */
  readonly details: Omit<SmtpReply, 'response'>;
  /** Whether the mail server refused the recipient for good. */
  readonly isFinal: boolean;

  constructor(message: string, { code, responseCode, command, response }: SmtpReply = {}) {
    super(message);
    this.details = { code, responseCode, command };
    this.isFinal = isRefusedRecipient({ responseCode, command, response });
  }
}

/**
 * The operator can fix a refused login, sender or policy (5.7), and the email can be sent afterwards. The same is true
 * when the server rejects the email itself.
 */
const isRefusedRecipient = ({ responseCode = 0, command, response = '' }: SmtpReply) =>
  command === 'RCPT TO' && responseCode >= 550 && responseCode < 560 && !/^\d{3}[ -]5\.7\./.test(response);

export interface MailSender {
  /** Throws MailError when the mail server did not accept the email. Aborting the signal closes the connection. */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<void>;
}

/** The mail server that SMTP_URL names. */
export function smtpSender({ server, from }: MailSettings): MailSender {
  const isLocal = isLocalServer(server);
  const transport = createTransport({
    ...server,
    // A password is never sent in the clear, even if an attacker in between hides that the server offers TLS.
    requireTLS: !server.secure && server.auth !== undefined && !isLocal,
    tls: { rejectUnauthorized: !isLocal },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(mail, signal) {
      const headers = { 'Auto-Submitted': 'auto-generated' };
      await transport.sendMail({ ...mail, from, headers, signal }).catch((error: Error & SmtpReply) => {
        throw new MailError(signal.aborted ? 'The mail server is too slow.' : error.message, error);
      });
    },
  };
}
