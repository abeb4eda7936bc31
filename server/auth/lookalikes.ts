/**
 * Maps Latin letters and three punctuation marks to other characters that look like them, following Unicode's
 * confusables (UTS 39). Only lower case is needed, because emails are stored in lower case. Wide and mathematical
 * letters are not listed, because NFKD turns them into plain ones. The letters are escaped, because right-to-left ones
 * would reorder the lines in an editor.
 */
const LOOKS_LIKE: Record<string, string> = {
  a: '\u0430\u0251\u03b1\u1d00\uab7a\u2c81\ua4ee',
  b: '\u044c\u0432\u03b2\u0185\u0299\u13fc\u15af\uab9f\u2c83\ua4d0',
  c: '\u0441\u03f2\u03c2\u1d04\uabaf\u2ca5\ua4da',
  d: '\u0501\u0257\u1d05\uab70\ua4d3\ua4d2',
  e: '\u0435\u0454\u03b5\u04bd\u1d07\uab7c\u2c89\ua4f0',
  f: '\u0192\ua730\u1e9d\u0584\ua799\ua4dd',
  g: '\u0261\u0581\u050d\u0262\u1d83\uab90\ua4d6',
  h: '\u04bb\u0570\u043d\u029c\uab8b\u2c8f\ua4e7\u13c2',
  i: '\u0456\u0131\u0269\u026a\u03b9\uab75\u2c93\ua4f2',
  j: '\u0458\u0575\u03f3\u0237\u1d0a\uab7b\ua4d9',
  k: '\u043a\u03ba\u1d0b\uabb6\u2c95\ua4d7',
  l: '1|\u04cf\u05d5\u05df\u01c0\u2223\u2d4f\ua781\u029f\u056c\uabae\u2cd1\ua4e1\u0627\u0661\u06f1',
  m: '\u043c\u1d0d\uab87\u2c99\ua4df',
  n: '\u043f\u0578\u057c\u0572\u03b7\u0274\u2c9b\ua4e0',
  o: '0\u043e\u03bf\u0585\u05e1\u03c3\u1d0f\u1d11\u2c9f\u2d54\u0b20\u0d20\u101d\u0e50\u0ed0\u0966\u0a66\u0ae6\u0c66\u0ce6\u0d66\u0be6\u0665\u0647\u3007\ua4f3\u{1042c}',
  p: '\u0440\u03c1\u1d18\uabb2\u2ca3\ua4d1',
  q: '\u051b\u0566\u0563',
  r: '\u0433\u0280\u1d26\uaba2\u2c85\ua4e3',
  s: '\u0455\ua731\uabaa\ua4e2\u{10448}',
  t: '\u0442\u03c4\u1d1b\uab72\u2ca7\ua4d4',
  u: '\u03c5\u057d\u0446\u028b\u1d1c\ua79f\ua4f4',
  v: '\u03bd\u0475\u1d20\uaba9\u05d8\ua4e6',
  w: '\u051d\u0461\u03c9\u0448\u0561\u026f\u1d21\uab83\u2cb1\ua4ea',
  x: '\u0445\u03c7\u2cad\ua4eb',
  y: '\u0443\u04af\u03b3\u028f\u10e7\u2ca9\uab8d\ua4ec',
  z: '\u1d22\uab93\ua4dc',
  '-': '\u2010\u2012\u2013\u2014\u2015\u2212\u2043\u02d7',
  '.': '\u3002\u0660\u06f0\ua4f8',
  _: '\u07fa',
};

const LATIN_BY_LOOKALIKE = new Map(
  Object.entries(LOOKS_LIKE).flatMap(([latin, others]) => [...others].map((other) => [other, latin] as const)),
);

/** As UTS 39 defines it, two texts are confusable if they have the same skeleton. */
const skeletonOf = (email: string) =>
  [...email.normalize('NFKD').toLowerCase()].map((letter) => LATIN_BY_LOOKALIKE.get(letter) ?? letter).join('');

const isPrintableAscii = (email: string) => /^[\x21-\x7e]+$/.test(email);

/**
 * Only emails with other characters than printable ASCII are compared with the emails of admins. Plain ASCII emails
 * that look alike, such as `bill1@` and `billl@`, may well belong to two people.
 */
export const hasNonAscii = (email: string) => !isPrintableAscii(email);

export const isLookalike = (email: string, other: string) => email !== other && skeletonOf(email) === skeletonOf(other);
