import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { freePort } from './server';

/** How the mail server handles the next emails. */
export type MailServerMode =
  | 'accepts'
  | 'does not greet'
  | 'refuses sender'
  | 'refuses recipient'
  | 'refuses relaying'
  | 'defers recipient'
  | 'refuses mail'
  | 'defers mail'
  | 'is slow'
  | 'never replies'
  | 'hangs up in the middle'
  | 'hangs up after accepting';

export interface ReceivedMail {
  from: string;
  to: string[];
  raw: string;
}

const SLOW_MS = 400;
const smtpError = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode });

const RECIPIENT_ERRORS: { [mode in MailServerMode]?: (to: string) => Error } = {
  'refuses recipient': (to) => smtpError(550, `5.1.1 <${to}>: no such user`),
  'refuses relaying': (to) => smtpError(554, `5.7.1 <${to}>: relaying denied`),
  'defers recipient': (to) => smtpError(450, `4.2.0 <${to}>: try again later`),
};
const DATA_ERRORS: { [mode in MailServerMode]?: Error } = {
  'refuses mail': smtpError(554, '5.6.0 refused'),
  'defers mail': smtpError(451, '4.3.0 out of space'),
};

interface Options {
  /** Accepts only this login. */
  login?: { user: string; pass: string };
}

/** Starts a real SMTP server on loopback. After `stop`, `start` starts it again on the same port. */
export async function startMailServer({ login }: Options = {}) {
  const port = await freePort();
  const received: ReceivedMail[] = [];
  let mode: MailServerMode = 'accepts';
  let server: SMTPServer;
  const sockets = new Set<Socket>();
  const hangUp = ({ remotePort }: SMTPServerSession) =>
    [...sockets].find((socket) => socket.remotePort === remotePort)?.destroy();

  async function onMail(raw: string, session: SMTPServerSession, reply: (error?: Error | null) => void) {
    if (mode === 'hangs up in the middle') return void hangUp(session);
    const error = DATA_ERRORS[mode];
    if (error) return reply(error);
    if (mode === 'is slow') await sleep(SLOW_MS);
    const { mailFrom, rcptTo } = session.envelope;
    received.push({ from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address), raw });
    if (mode === 'hangs up after accepting') hangUp(session);
    else if (mode !== 'never replies') reply();
  }

  async function start() {
    server = new SMTPServer({
      authOptional: login === undefined,
      allowInsecureAuth: true,
      disabledCommands: ['STARTTLS'],
      disableReverseLookup: true,
      closeTimeout: 100,
      onAuth: ({ username, password }, _session, reply) =>
        username === login?.user && password === login?.pass
          ? reply(null, { user: username })
          : reply(smtpError(535, '5.7.8 refused')),
      onConnect: (_session, reply) => (mode === 'does not greet' ? undefined : reply()),
      onMailFrom: (_address, _session, reply) =>
        reply(mode === 'refuses sender' ? smtpError(550, '5.1.8 bad sender') : null),
      onRcptTo: ({ address }, _session, reply) => reply(RECIPIENT_ERRORS[mode]?.(address)),
      onData: (stream, session, reply) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => void onMail(Buffer.concat(chunks).toString('utf8'), session, reply));
      },
    });
    // Clients that hang up are part of the tests.
    server.on('error', () => undefined);
    server.server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
    server.listen(port, '127.0.0.1');
    await once(server.server, 'listening');
  }

  async function stop() {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of sockets) socket.destroy();
    await closed;
  }

  await start();
  const url = `smtp://${login ? `${login.user}:${encodeURIComponent(login.pass)}@` : ''}127.0.0.1:${port}`;
  return { url, received, start, stop, setMode: (next: MailServerMode) => void (mode = next) };
}
