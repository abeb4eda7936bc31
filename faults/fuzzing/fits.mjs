const TYPES = {
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  integer: Number.isInteger,
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
};

const isLink = (text) => /^https:\/\/[^/]/.test(text) || /^\/(?![/\\])/.test(text);

function textFits(schema, value) {
  const { length } = [...value];
  if (length < (schema.minLength ?? 0) || length > (schema.maxLength ?? Infinity)) return `${length} characters`;
  if (schema.pattern && !new RegExp(schema.pattern, 'u').test(value)) return 'characters that it forbids';
  return schema.format === 'link' && !isLink(value) ? 'no link' : undefined;
}

function objectFits(schema, value, at) {
  const { properties = {}, required = [], additionalProperties } = schema;
  const missing = required.find((name) => !(name in value));
  if (missing) return `${at}.${missing} is missing`;
  for (const [name, inner] of Object.entries(value)) {
    if (!(name in properties)) {
      if (additionalProperties === false) return `${at}.${name} is not of the contract`;
      continue;
    }
    const wrong = complaint(properties[name], inner, `${at}.${name}`);
    if (wrong) return wrong;
  }
  return undefined;
}

/** Why a value is not what the contract says; undefined: it is. */
export function complaint(schema, value, at = 'body') {
  if (schema.anyOf) {
    const all = schema.anyOf.map((one) => complaint(one, value, at));
    return all.includes(undefined) ? undefined : all[0];
  }
  if (schema.type && !TYPES[schema.type](value)) return `${at} is no ${schema.type}`;
  if (schema.enum && !schema.enum.includes(value)) return `${at} is not one of ${schema.enum}`;
  if ('const' in schema && schema.const !== value) return `${at} is not ${schema.const}`;
  if (value < schema.minimum || value > schema.maximum) return `${at} is ${value}`;
  const text = schema.type === 'string' && textFits(schema, value);
  if (text) return `${at} has ${text}`;
  if (schema.type === 'array')
    for (const [n, item] of value.entries()) {
      const wrong = complaint(schema.items, item, `${at}[${n}]`);
      if (wrong) return wrong;
    }
  return schema.type === 'object' ? objectFits(schema, value, at) : undefined;
}
