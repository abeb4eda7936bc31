import { connect } from 'node:net';
import { platform } from 'node:process';
import { setTimeout } from 'node:timers';
import { quantile } from './numbers.mjs';

/** A generator that costs less than any server it loads: it writes ready bytes and reads no more than it must. */
const parts = [];
for await (const part of process.stdin) parts.push(part);
const {
  port,
  paths,
  headers,
  seconds,
  requests: most = Infinity,
  connections,
  pauseMs = 0,
} = JSON.parse(Buffer.concat(parts));

const lines = Object.entries({ host: `127.0.0.1:${port}`, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
const ready = paths.map((path) => Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`));
const nextRequest = () => ready[ready.length === 1 ? 0 : Math.floor(Math.random() * ready.length)];

/** A shop serves so many from one address before it calls it a flood: like many customers, we come from many addresses. */
const REQUESTS_OF_ONE_ADDRESS = 1500;
let addresses = Math.floor(Math.random() * 60_000) * 100;
function nextAddress() {
  if (platform !== 'linux') return undefined;
  const n = addresses++;
  return `127.${1 + ((n >> 16) & 127)}.${(n >> 8) & 255}.${n & 255}`;
}

const END = Buffer.from('\r\n\r\n');
const LENGTH = Buffer.from('ontent-length: ');
const times = [];
let refused = 0;
const began = performance.now();
const until = began + seconds * 1000;

/** How many bytes an answer has in all; 0 while its head is not all here. */
function sizeOf(bytes) {
  const head = bytes.indexOf(END);
  if (head < 0) return 0;
  const at = bytes.indexOf(LENGTH);
  if (at < 0 || at > head) return head + END.length;
  let length = 0;
  for (let i = at + LENGTH.length; bytes[i] !== 13; i++) length = length * 10 + bytes[i] - 48;
  return head + END.length + length;
}

const ask = (done) => {
  const socket = connect({ port, host: '127.0.0.1', localAddress: nextAddress(), noDelay: true });
  let sent = 0;
  let left = REQUESTS_OF_ONE_ADDRESS;
  let awaited = 0;
  let begun = null;
  const send = () => {
    sent = performance.now();
    socket.write(nextRequest());
  };
  const answered = () => {
    const now = performance.now();
    times.push(now - sent);
    if (now >= until || times.length >= most) return socket.end() && done();
    if (--left > 0) return pauseMs > 0 ? setTimeout(send, pauseMs) : send();
    socket.end();
    ask(done);
  };
  socket.on('connect', send);
  socket.on('error', (error) => fail(error.message));
  socket.on('data', (chunk) => {
    if (awaited > 0) {
      awaited -= chunk.length;
    } else {
      const bytes = begun ? Buffer.concat([begun, chunk]) : chunk;
      const size = sizeOf(bytes);
      begun = size === 0 ? bytes : null;
      if (size === 0) return;
      if (bytes[9] !== 50 && bytes[9] !== 51) refused++;
      awaited = size - bytes.length;
    }
    if (awaited === 0) answered();
  });
};

function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

await Promise.all(Array.from({ length: connections }, () => new Promise(ask)));
times.sort((a, b) => a - b);
const perSecond = times.length / ((performance.now() - began) / 1000);
const cpu = process.cpuUsage();
const result = { requests: times.length, perSecond, p50: quantile(times, 0.5), p99: quantile(times, 0.99), refused };
process.stdout.write(JSON.stringify({ ...result, generatorMicroseconds: (cpu.user + cpu.system) / times.length }));
