import { HOSTILE_TEXTS } from './hostileTexts.mjs';

const LETTERS = [...'abc XYZ 019 .,-äöß 工具 🔨'];
const OTHER_TYPES = [null, true, false, 0, -0, 1.5, -1, 1e21, 2 ** 53, '', 'text', [], [1], {}, { a: { b: [] } }];

function createText(random, length) {
  return Array.from({ length }, () => random.pick(LETTERS)).join('');
}

function createValid(schema, random) {
  if (schema.anyOf) return createValid(random.pick(schema.anyOf), random);
  if (schema.type === 'null') return null;
  if (schema.type === 'integer') return random.integer(schema.minimum, Math.min(schema.maximum, schema.minimum + 50));
  if (schema.format === 'link')
    return random.pick(['https://img.example/a.png', '/images/placeholder.svg', 'mail.example/ann']);
  const start = schema.format === 'phone' ? '5550100' : 'a';
  const room = Math.min(schema.maxLength, 60) - start.length;
  return start + createText(random, random.integer(schema.minLength ?? 0, room));
}

/** Creates a value at a limit of the schema, or slightly inside or outside of it. */
function createBoundary(schema, random) {
  if (schema.anyOf) return createBoundary(schema.anyOf[0], random);
  const step = random.integer(-1, 1);
  if (schema.type === 'integer') return random.pick([schema.minimum, schema.maximum]) + random.pick([step, step / 2]);
  return 'a'.repeat(Math.max(0, random.pick([schema.minLength ?? 0, schema.maxLength]) + step));
}

const createHostile = (_schema, random) => (random.chance(0.7) ? random.pick(HOSTILE_TEXTS) : random.pick(OTHER_TYPES));

const KINDS = { valid: createValid, boundary: createBoundary, hostile: createHostile };
export const createRandomValue = (schema, random, kind) => KINDS[kind](schema, random);
