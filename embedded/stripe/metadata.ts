import { readSection, type Form } from './form';
import { invalidRequest } from './stripeErrors';

const MAX_METADATA = { entries: 50, keyLength: 40, valueLength: 500 };

export function readMetadata(form: Form): Record<string, string> {
  const metadata = readSection(form, 'metadata');
  const fits = ([key, value]: [string, string | Form]) =>
    typeof value === 'string' && key.length <= MAX_METADATA.keyLength && value.length <= MAX_METADATA.valueLength;
  const entries = Object.entries(metadata);
  if (entries.length > MAX_METADATA.entries || !entries.every(fits)) {
    throw invalidRequest(
      400,
      'Invalid metadata: at most 50 keys of 40 characters, values of 500.',
      undefined,
      'metadata',
    );
  }
  return Object.fromEntries(entries) as Record<string, string>;
}
