import { domainToASCII } from 'node:url';

const LONGEST_NAME = 253;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** @returns the host name as browsers compare it, or undefined when it is not a host name. */
export function hostNameOf(text: string): string | undefined {
  // Node.js drops a path behind the name.
  if (/[/?#\\]/.test(text)) return undefined;
  const name = domainToASCII(text);
  const labels = name.split('.');
  const isName = name.length <= LONGEST_NAME && labels.every((label) => LABEL.test(label));
  return isName && !/^\d+$/.test(labels.at(-1)!) ? name : undefined;
}
