import { SEND_TIMEOUT_MS } from '../../server/mail/mailQueue';
import type { Copy } from './copies';
import { faults } from './faults';
import { simulatedRuntime } from './simulatedRuntime';
import { MailError, type MailSender, type OutgoingMail } from '../../server/mail/smtp';
import { scheduler } from './scheduler';

export interface ReceivedMail {
  messageId: string;
  to: string;
  subject: string;
  text: string;
  startedAt: number;
  at: number;
  copy: Copy;
  /** Whether the mail server accepted the email and then lost the connection. */
  isResponseLost: boolean;
}

/** A simulated mail server, which stores every email that it accepts. */
export class MailBox {
  readonly received: ReceivedMail[] = [];

  senderOf = (copy: Copy): MailSender => ({
    send: async (mail: OutgoingMail) => {
      const sentAt = simulatedRuntime.now;
      await scheduler.hold({
        ...{ kind: 'mail', client: undefined, copy, label: `sends the email "${mail.subject}"` },
        run: () => this.accept(mail, copy, sentAt),
      });
    },
  });

  /**
   * Fails if the copy of the server was suspended for longer than the timeout for sending, because Node runs expired
   * timers before it sends data.
   */
  private async accept(mail: OutgoingMail, copy: Copy, sentAt: number) {
    if (simulatedRuntime.now - sentAt >= SEND_TIMEOUT_MS)
      throw new MailError('The mail server did not respond in time.');
    const fault = scheduler.decisions.happens(faults.mail) ? 1 + scheduler.decisions.draw(2) : 0;
    if (fault === 1) throw new MailError('The mail server did not respond in time.');
    const { messageId, subject, text, to } = mail;
    const address = (to as { address: string }).address;
    this.received.push({
      messageId,
      subject,
      text,
      to: address,
      startedAt: sentAt,
      at: simulatedRuntime.now,
      copy,
      isResponseLost: fault === 2,
    });
    if (fault === 2) throw new MailError('The connection was lost.');
  }
}
