import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { parse } from 'pg-connection-string';

export interface ProxyRules {
  /** Changes the text of each statement before PostgreSQL sees it. */
  rewrite?: (sql: string) => string;
  /** Changes the parameters of each new session, for example its `options`. */
  startup?: (parameters: Map<string, string>) => void;
}

const MESSAGE_HEADER_BYTES = 5;
const STARTUP_HEADER_BYTES = 8;
const nullTerminated = (text: string) => Buffer.from(`${text}\0`);

function rewriteStartupMessage(message: Buffer, change: NonNullable<ProxyRules['startup']>): Buffer {
  const words = message.subarray(STARTUP_HEADER_BYTES).toString().split('\0');
  const parameters = new Map<string, string>();
  for (let i = 0; words[i]; i += 2) parameters.set(words[i]!, words[i + 1]!);
  change(parameters);
  const body = Buffer.concat([...[...parameters].flat().map(nullTerminated), Buffer.from([0])]);
  const head = Buffer.from(message.subarray(0, STARTUP_HEADER_BYTES));
  head.writeInt32BE(STARTUP_HEADER_BYTES + body.length, 0);
  return Buffer.concat([head, body]);
}

/** Rewrites the text in the messages Query (`Q`) and Parse (`P`, where a statement name precedes it). */
function rewriteStatement(message: Buffer, rewrite: NonNullable<ProxyRules['rewrite']>): Buffer {
  const type = String.fromCharCode(message[0]!);
  if (type !== 'Q' && type !== 'P') return message;
  const textStart = type === 'P' ? message.indexOf(0, MESSAGE_HEADER_BYTES) + 1 : MESSAGE_HEADER_BYTES;
  const textEnd = message.indexOf(0, textStart);
  const text = nullTerminated(rewrite(message.toString('utf8', textStart, textEnd)));
  const rewritten = Buffer.concat([message.subarray(0, textStart), text, message.subarray(textEnd + 1)]);
  rewritten.writeInt32BE(rewritten.length - 1, 1);
  return rewritten;
}

/** @returns a function that takes the bytes from a client and passes on the changed messages */
function createMessageStream(
  { rewrite = (sql) => sql, startup = () => undefined }: ProxyRules,
  pass: (bytes: Buffer) => void,
) {
  let waiting = Buffer.alloc(0);
  let hasStarted = false;
  return (bytes: Buffer) => {
    waiting = Buffer.concat([waiting, bytes]);
    for (;;) {
      const lengthAt = hasStarted ? 1 : 0;
      if (waiting.length < lengthAt + 4) return;
      const length = lengthAt + waiting.readInt32BE(lengthAt);
      if (waiting.length < length) return;
      const message = waiting.subarray(0, length);
      waiting = waiting.subarray(length);
      pass(hasStarted ? rewriteStatement(message, rewrite) : rewriteStartupMessage(message, startup));
      hasStarted = true;
    }
  };
}

/** Starts a proxy in front of the database of `url`, which applies the rules. Clients must not use TLS. */
export async function startPostgresProxy(url: string, rules: ProxyRules) {
  const { host, port, user, password, database } = parse(url);
  const path = host?.startsWith('/')
    ? { path: `${host}/.s.PGSQL.${port ?? 5432}` }
    : { host: host!, port: Number(port) };
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(path);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => [client, upstream].forEach((each) => each.destroy()));
    }
    client.on(
      'data',
      createMessageStream(rules, (bytes) => upstream.write(bytes)),
    );
    upstream.pipe(client);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const credentials = encodeURIComponent(user ?? '') + (password ? `:${encodeURIComponent(password)}` : '');
  return {
    url: `postgres://${credentials}@127.0.0.1:${(server.address() as AddressInfo).port}/${database}`,
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
