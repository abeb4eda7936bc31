import pino, { type DestinationStream, type Logger } from 'pino';

const SECRET_PATHS = ['authorization', 'password', 'token', 'idToken', 'refreshToken', 'clientSecret', 'client_secret'];

interface Logged extends Error {
  code?: string;
}

/** What a failed statement was given is people's data; the statement is enough. */
const VALUES = /\nparams: [\s\S]*$/;

/** What went wrong and where; never the whole object, which can hold a connection and its settings. */
function brief({ name, message, code, stack, cause }: Logged): object {
  const said = message.replace(VALUES, '');
  return {
    name,
    message: said,
    code,
    stack: stack?.replace(message, () => said),
    ...(cause instanceof Error && { cause: brief(cause) }),
  };
}

/** One JSON object a line; pretty where a person watches. */
export function makeLogger(level: string, pretty: boolean, destination?: DestinationStream): Logger {
  const options = {
    level,
    serializers: { err: brief },
    redact: { paths: SECRET_PATHS.flatMap((path) => [path, `*.${path}`]), censor: '[secret]' },
    ...(pretty && {
      transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname', translateTime: 'HH:MM:ss' } },
    }),
  };
  return destination ? pino(options, destination) : pino(options);
}
