import { Writable } from 'node:stream';
import pino from 'pino';

export type LogLine = Record<string, unknown> & { msg: string };

/** A logger for a shop, and what it wrote so far. */
export function collectLog() {
  const lines: LogLine[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      for (const line of chunk.toString().trim().split('\n')) lines.push(JSON.parse(line) as LogLine);
      done();
    },
  });
  return { logger: pino(sink), lines, linesOf: (msg: string) => lines.filter((line) => line.msg === msg) };
}
