import { createReadStream, existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { logFilesIn } from '../http/logFile';
import { UUID } from '../http/textValidation';
import { findOrderOfIntent, readOrderHistory, type HistoryEvent } from '../doctor/orderHistory';
import type { Env } from '../settings/readers';
import { readSettings } from '../settings/settings';
import type { ShopConnection } from './connectToShopDatabase';
import { print, printError, withShop } from './runCommand';

const USAGE = `Usage: npm run explain -- CODE          prints what the server knows about the request with this error code
       npm run explain -- CODE LOG...   reads these log files instead ("-" is standard input)`;

interface LogLine {
  time: number;
  msg: string;
  reqId?: string;
  trace?: string;
  orderId?: string;
  intentId?: string;
  method?: string;
  route?: string;
  status?: number;
  ms?: number;
  code?: string;
  userId?: string;
  err?: { name?: string; message?: string; stack?: string };
  statements?: { name: string; ms: number }[];
}

/** A log can contain any text. In a terminal, its control characters would take effect. */
const withoutControlCharacters = (text: string) => text.replace(/[^\P{Cc}\n]/gu, ' ');
const printLine = (line: string) => print(withoutControlCharacters(line));

/** Ignores what precedes the JSON, because programs such as journald add a prefix to each line. */
function parseLine(text: string): LogLine | undefined {
  try {
    return JSON.parse(text.slice(text.indexOf('{'))) as LogLine;
  } catch {
    return undefined;
  }
}

async function readLines(
  files: string[],
  isWanted: (line: LogLine) => boolean,
  requiredText: string,
): Promise<LogLine[]> {
  const found: LogLine[] = [];
  for (const file of files) {
    const input = file === '-' ? process.stdin : createReadStream(file);
    for await (const text of createInterface({ input })) {
      const line = text.includes(requiredText) ? parseLine(text) : undefined;
      if (line && isWanted(line)) found.push(line);
    }
  }
  return found;
}

const formatTime = (time: number | Date) => new Date(time).toISOString();
const describeRequest = ({ method, route, status, code }: LogLine) =>
  [method, route, status, code].filter((part) => part !== undefined).join(' ');

/** Formats a log line and, below it, the request's statements and the stack of its error. */
function describeLine(line: LogLine): string[] {
  const { time, msg, reqId, ms, userId, statements = [], err } = line;
  const title = line.route ? `${describeRequest(line)} in ${ms} ms` : msg;
  return [
    `${formatTime(time)}  ${reqId ?? ''}  ${title}${userId ? `  user ${userId}` : ''}`,
    ...statements.map((statement) => `    ${statement.ms} ms  ${statement.name}`),
    ...(err ? (err.stack ?? `${err.name}: ${err.message}`).split('\n').map((text) => `    ${text}`) : []),
  ];
}

/** Merges the order's history from the database with its requests from the log, oldest first. */
function describeOrder(history: HistoryEvent[], lines: LogLine[]): string[] {
  const requests = lines
    .filter(({ route }) => route !== undefined)
    .map((line) => ({ at: new Date(line.time), text: `${describeRequest(line)} (code ${line.reqId})` }));
  return [...history, ...requests]
    .sort((a, b) => a.at.getTime() - b.at.getTime())
    .map((event) => `${formatTime(event.at)}  ${event.text}`);
}

async function explainOrders({ db }: ShopConnection, lines: LogLine[], files: string[]): Promise<void> {
  const ofIntents = await Promise.all(lines.map(({ intentId }) => intentId && findOrderOfIntent(db, intentId)));
  const orderIds = new Set([...lines.map(({ orderId }) => orderId), ...ofIntents].filter((id) => id && UUID.test(id)));
  for (const orderId of orderIds as Set<string>) {
    const history = await readOrderHistory(db, orderId);
    printLine(`\nOrder ${orderId}`);
    if (!history) printLine('This order is not in the database.');
    const isOfOrder = (line: LogLine) => line.orderId === orderId;
    const orderLines = files.includes('-') ? lines.filter(isOfOrder) : await readLines(files, isOfOrder, orderId);
    for (const text of describeOrder(history ?? [], orderLines)) printLine(text);
  }
}

/** @returns the log files to read, or an error message if there are none or one is missing */
function chooseFiles(given: string[], env: Env): string[] | string {
  const missing = given.find((file) => file !== '-' && !existsSync(file));
  if (missing !== undefined) return `There is no file ${missing}.`;
  if (given.length > 0) return given;
  const files = logFilesIn(readSettings(env).dataDir).filter((file) => existsSync(file));
  return files.length > 0
    ? files
    : 'There is no log in the data folder. Pass the log as a file, or pipe it into: npm run explain -- CODE -';
}

/** @returns the exit code, which is 1 if the log does not contain the code */
export async function main(argv: string[], env: Env): Promise<number> {
  const [code, ...given] = argv;
  if (!code || code.startsWith('--')) {
    printError(USAGE);
    return 1;
  }
  const files = chooseFiles(given, env);
  if (typeof files === 'string') {
    printError(files);
    return 1;
  }
  const lines = await readLines(files, ({ reqId, trace }) => reqId === code || trace === code, code);
  if (lines.length === 0) {
    printError(`The log does not contain the code ${code}. Public reads are logged only when they fail or are slow.`);
    return 1;
  }
  for (const line of lines) describeLine(line).forEach(printLine);
  await withShop((connection) => explainOrders(connection, lines, files), env).catch((error: Error) =>
    printError(`\nThe database could not be read: ${error.message}`),
  );
  return 0;
}
