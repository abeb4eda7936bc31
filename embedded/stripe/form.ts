import { invalidRequest, missingParameter } from './stripeErrors';

/** A parsed form with Stripe's brackets: `card[number]=1` becomes `{ card: { number: '1' } }`. */
export interface Form {
  [name: string]: string | Form;
}

const MAX_FIELDS = 200;
const MAX_DEPTH = 4;
const NAME = /^[^[\]]+(\[[^[\]]*\])*$/;
const emptyForm = (): Form => Object.create(null) as Form;

export function readForm(encodedParameters: string): Form {
  const fields = [...new URLSearchParams(encodedParameters)];
  if (fields.length > MAX_FIELDS) throw invalidRequest(400, 'Too many parameters.');
  const form = emptyForm();
  for (const [name, value] of fields) setField(form, name, value);
  return form;
}

function setField(form: Form, name: string, value: string) {
  const path = name.split(/[[\]]+/).filter((part, index) => index === 0 || part !== '');
  if (!NAME.test(name) || path.length > MAX_DEPTH) throw invalidRequest(400, `Invalid parameter name: ${name}`);
  if (value.includes('\0')) throw invalidRequest(400, `Invalid string: ${name}`, 'invalid_characters', name);
  const fieldName = path.pop() ?? name;
  const target = path.reduce((parent, part) => {
    const child = parent[part] ?? (parent[part] = emptyForm());
    if (typeof child === 'string') throw invalidRequest(400, `Invalid object: ${part}`, undefined, part);
    return child;
  }, form);
  target[fieldName] = value;
}

export function rejectUnknownFields(form: Form, names: string[] = []) {
  const unknown = Object.keys(form).find((name) => !names.includes(name));
  if (unknown) throw invalidRequest(400, `Received unknown parameter: ${unknown}`, 'parameter_unknown', unknown);
}

export function readOptionalText(form: Form, name: string): string | null {
  const value = form[name] ?? '';
  if (typeof value !== 'string') throw invalidRequest(400, `Invalid string: {...}`, undefined, name);
  return value === '' ? null : value;
}

export function readRequiredText(form: Form, name: string): string {
  const value = readOptionalText(form, name);
  if (value === null) throw missingParameter(name);
  return value;
}

export function readInteger(form: Form, name: string): number | null {
  const value = readOptionalText(form, name);
  if (value === null) return null;
  if (!/^-?\d{1,15}$/.test(value)) {
    throw invalidRequest(400, `Invalid integer: ${value}`, 'parameter_invalid_integer', name);
  }
  return Number(value);
}

export function readSection(form: Form, name: string): Form {
  const value = form[name] ?? emptyForm();
  if (typeof value === 'string') throw invalidRequest(400, 'Invalid object', undefined, name);
  return value;
}
