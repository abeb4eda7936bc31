import type { ReceivedMail } from '../../support/mailServer';

const decodeBytes = (text: string, encoding: string) =>
  encoding === 'base64'
    ? Buffer.from(text, 'base64').toString('utf8')
    : encoding === 'quoted-printable'
      ? decodeQuotedPrintable(text.replace(/=\r\n/g, ''))
      : text;
const decodeQuotedPrintable = (text: string) =>
  Buffer.from(
    text.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');

/** Decodes RFC 2047 encoded words in a header. */
const decodeHeader = (value: string) =>
  value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toLowerCase() === 'b' ? decodeBytes(text, 'base64') : decodeQuotedPrintable(text.replaceAll('_', ' ')),
    );

function splitEntity(raw: string) {
  const end = raw.indexOf('\r\n\r\n');
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { headers, body: raw.slice(end + 4) };
}

/** @returns some headers of an email, the names of all its headers in order, and its plain text and HTML */
export function readMail({ raw }: ReceivedMail) {
  const { headers, body } = splitEntity(raw);
  const headerOf = (name: string) => headers.find(([key]) => key === name)?.[1] ?? '';
  const boundary = /boundary="([^"]+)"/.exec(headerOf('content-type'))?.[1] ?? 'none';
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => splitEntity(part.replace(/^\r\n/, '')));
  const textOf = (type: string) => {
    const part = parts.find((each) =>
      each.headers.some(([key, value]) => key === 'content-type' && value.startsWith(type)),
    )!;
    const encoding = part.headers.find(([key]) => key === 'content-transfer-encoding')?.[1] ?? '7bit';
    return decodeBytes(part.body, encoding.toLowerCase()).replaceAll('\r\n', '\n').trim();
  };
  return {
    headerNames: headers.map(([name]) => name),
    subject: decodeHeader(headerOf('subject')),
    to: decodeHeader(headerOf('to')),
    from: decodeHeader(headerOf('from')),
    messageId: headerOf('message-id'),
    autoSubmitted: headerOf('auto-submitted'),
    text: textOf('text/plain'),
    html: textOf('text/html'),
  };
}
