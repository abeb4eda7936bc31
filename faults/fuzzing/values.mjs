import { NAUGHTY } from './naughty.mjs';

const LETTERS = [...'abc XYZ 019 .,-äöß 工具 🔨'];
const OTHER_TYPES = [null, true, false, 0, -0, 1.5, -1, 1e21, 2 ** 53, '', 'text', [], [1], {}, { a: { b: [] } }];

function text(random, length) {
  return Array.from({ length }, () => random.one(LETTERS)).join('');
}

function good(schema, random) {
  if (schema.anyOf) return good(random.one(schema.anyOf), random);
  if (schema.type === 'null') return null;
  if (schema.type === 'integer') return random.whole(schema.minimum, Math.min(schema.maximum, schema.minimum + 50));
  if (schema.format === 'link')
    return random.one(['https://img.example/a.png', '/images/placeholder.svg', 'mail.example/ann']);
  return `a${text(random, random.whole(schema.minLength ?? 0, Math.min(schema.maxLength, 60) - 1))}`;
}

/** On the border of what may be, one step inside or outside. */
function border(schema, random) {
  if (schema.anyOf) return border(schema.anyOf[0], random);
  const step = random.whole(-1, 1);
  if (schema.type === 'integer') return random.one([schema.minimum, schema.maximum]) + random.one([step, step / 2]);
  return 'a'.repeat(Math.max(0, random.one([schema.minLength ?? 0, schema.maxLength]) + step));
}

const hostile = (_schema, random) => (random.chance(0.7) ? random.one(NAUGHTY) : random.one(OTHER_TYPES));

const KINDS = { good, border, hostile };
export const valueOf = (schema, random, kind) => KINDS[kind](schema, random);
