const TYPE_CHECKS = {
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  integer: Number.isInteger,
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
};

const isLink = (text) => /^https:\/\/[^/]/.test(text) || /^\/(?![/\\])/.test(text);

function findTextViolation(schema, value) {
  const { length } = [...value];
  if (length < (schema.minLength ?? 0) || length > (schema.maxLength ?? Infinity))
    return `an invalid length (${length} characters)`;
  if (schema.pattern && !new RegExp(schema.pattern, 'u').test(value)) return 'forbidden characters';
  if (schema.format === 'phone' && !/(?:\d\D*){7}/.test(value)) return 'too few digits';
  return schema.format === 'link' && !isLink(value) ? 'an invalid link' : undefined;
}

function findObjectViolation(schema, value, path) {
  const { properties = {}, required = [], additionalProperties } = schema;
  const missing = required.find((name) => !(name in value));
  if (missing) return `${path}.${missing} is missing`;
  for (const [name, inner] of Object.entries(value)) {
    if (!(name in properties)) {
      if (additionalProperties === false) return `${path}.${name} is not a field of the contract`;
      continue;
    }
    const violation = findSchemaViolation(properties[name], inner, `${path}.${name}`);
    if (violation) return violation;
  }
  return undefined;
}

/** @returns how the value violates the schema, or undefined if it is valid */
export function findSchemaViolation(schema, value, path = 'body') {
  if (schema.anyOf) {
    const violations = schema.anyOf.map((one) => findSchemaViolation(one, value, path));
    return violations.includes(undefined) ? undefined : violations[0];
  }
  if (schema.type && !TYPE_CHECKS[schema.type](value)) return `${path} is not of type ${schema.type}`;
  if (schema.enum && !schema.enum.includes(value)) return `${path} is not one of ${schema.enum}`;
  if ('const' in schema && schema.const !== value) return `${path} is not ${schema.const}`;
  if (value < schema.minimum || value > schema.maximum) return `${path} is out of range: ${value}`;
  const textViolation = schema.type === 'string' && findTextViolation(schema, value);
  if (textViolation) return `${path} has ${textViolation}`;
  if (schema.type === 'array')
    for (const [n, item] of value.entries()) {
      const violation = findSchemaViolation(schema.items, item, `${path}[${n}]`);
      if (violation) return violation;
    }
  return schema.type === 'object' ? findObjectViolation(schema, value, path) : undefined;
}
