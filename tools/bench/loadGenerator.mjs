import { connect } from 'node:net';
import { platform } from 'node:process';
import { setTimeout } from 'node:timers';
import { quantile } from './statistics.mjs';

/**
 * A load generator that needs less CPU time than the server: it writes prepared bytes and parses only the status and
 * the size of responses.
 */
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const {
  port,
  paths,
  headers,
  seconds,
  requests: maxRequests = Infinity,
  connections,
  pauseMs = 0,
} = JSON.parse(Buffer.concat(chunks));

const headerLines = Object.entries({ host: `127.0.0.1:${port}`, ...headers }).map(
  ([name, value]) => `${name}: ${value}\r\n`,
);
const requestBytes = paths.map((path) => Buffer.from(`GET ${path} HTTP/1.1\r\n${headerLines.join('')}\r\n`));
const nextRequest = () => requestBytes[requestBytes.length === 1 ? 0 : Math.floor(Math.random() * requestBytes.length)];

/** The shop limits requests per IP address, so the generator uses a new address after this number of requests. */
const REQUESTS_PER_ADDRESS = 1500;
let addressCounter = Math.floor(Math.random() * 60_000) * 100;
function nextAddress() {
  if (platform !== 'linux') return undefined;
  const n = addressCounter++;
  return `127.${1 + ((n >> 16) & 127)}.${(n >> 8) & 255}.${n & 255}`;
}

const HEADERS_END = Buffer.from('\r\n\r\n');
/** Without its first letter, which can be upper or lower case. */
const CONTENT_LENGTH = Buffer.from('ontent-length: ');
const times = [];
let refused = 0;
const startedAt = performance.now();
const endsAt = startedAt + seconds * 1000;

/** @returns the size of the response in bytes, or 0 while its headers are incomplete */
function readResponseSize(bytes) {
  const headersEnd = bytes.indexOf(HEADERS_END);
  if (headersEnd < 0) return 0;
  const lengthStart = bytes.indexOf(CONTENT_LENGTH);
  if (lengthStart < 0 || lengthStart > headersEnd) return headersEnd + HEADERS_END.length;
  let length = 0;
  for (let i = lengthStart + CONTENT_LENGTH.length; bytes[i] !== 13; i++) length = length * 10 + bytes[i] - 48;
  return headersEnd + HEADERS_END.length + length;
}

const openConnection = (done) => {
  const socket = connect({ port, host: '127.0.0.1', localAddress: nextAddress(), noDelay: true });
  let sentAt = 0;
  let remaining = REQUESTS_PER_ADDRESS;
  let missingBytes = 0;
  let partial = null;
  const send = () => {
    sentAt = performance.now();
    socket.write(nextRequest());
  };
  const handleResponse = () => {
    const now = performance.now();
    times.push(now - sentAt);
    if (now >= endsAt || times.length >= maxRequests) return socket.end() && done();
    if (--remaining > 0) return pauseMs > 0 ? setTimeout(send, pauseMs) : send();
    socket.end();
    openConnection(done);
  };
  socket.on('connect', send);
  socket.on('error', (error) => fail(error.message));
  socket.on('data', (chunk) => {
    if (missingBytes > 0) {
      missingBytes -= chunk.length;
    } else {
      const bytes = partial ? Buffer.concat([partial, chunk]) : chunk;
      const size = readResponseSize(bytes);
      partial = size === 0 ? bytes : null;
      if (size === 0) return;
      if (bytes[9] !== 50 && bytes[9] !== 51) refused++;
      missingBytes = size - bytes.length;
    }
    if (missingBytes === 0) handleResponse();
  });
};

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

await Promise.all(Array.from({ length: connections }, () => new Promise(openConnection)));
times.sort((a, b) => a - b);
const perSecond = times.length / ((performance.now() - startedAt) / 1000);
const cpu = process.cpuUsage();
const result = { requests: times.length, perSecond, p50: quantile(times, 0.5), p99: quantile(times, 0.99), refused };
process.stdout.write(JSON.stringify({ ...result, generatorMicroseconds: (cpu.user + cpu.system) / times.length }));
