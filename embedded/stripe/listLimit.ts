import { wholeNumber, type Form } from './form';
import { invalidRequest } from './refusals';

const MOST = 100;

export function readLimit(form: Form): number {
  const limit = wholeNumber(form, 'limit') ?? 10;
  if (limit < 1 || limit > MOST)
    throw invalidRequest(400, `Invalid limit: must be between 1 and ${MOST}`, undefined, 'limit');
  return limit;
}
