import type { Duplex } from 'node:stream';
import { problemBody, refusalOf } from './problems';
import { DATA_POLICY, securityHeaders } from './securityHeaders';
import { nextRequestId } from './logging';
import type { Settings } from '../settings';

type ClientError = Error & { code?: string };

/** What never became a request is refused in the same words and with the same headers, on the bare socket. */
export function clientRefusal(settings: Settings) {
  const always = { ...securityHeaders(settings), 'content-security-policy': DATA_POLICY, 'cache-control': 'no-store' };
  const lines = Object.entries(always).map(([name, value]) => `${name}: ${value}\r\n`);

  return function refuseClient(error: ClientError, socket: Duplex): void {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const id = nextRequestId();
    const problem = problemBody(refusalOf(Object.assign(error, { statusCode: 400 })), id);
    const body = JSON.stringify(problem);
    socket.end(
      `HTTP/1.1 ${problem.status} ${problem.title}\r\ncontent-type: application/problem+json\r\n` +
        `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\nx-request-id: ${id}\r\n` +
        `${lines.join('')}\r\n${body}`,
    );
  };
}
