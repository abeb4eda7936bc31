import { isLookalike } from '../../../server/auth/lookalikes';

/** A lookalike for each letter and for `-`, `.` and `_`, from Unicode's list of confusables. */
const CONFUSABLES: [string, string][] = [
  ['a', '\u0430'],
  ['b', '\u044c'],
  ['c', '\u0441'],
  ['d', '\u0501'],
  ['e', '\u0435'],
  ['f', '\u0584'],
  ['g', '\u0261'],
  ['h', '\u04bb'],
  ['i', '\u0456'],
  ['j', '\u0458'],
  ['k', '\u043a'],
  ['l', '\u04cf'],
  ['m', '\u043c'],
  ['n', '\u0578'],
  ['o', '\u043e'],
  ['p', '\u0440'],
  ['q', '\u051b'],
  ['r', '\u0433'],
  ['s', '\u0455'],
  ['t', '\u0442'],
  ['u', '\u03c5'],
  ['v', '\u03bd'],
  ['w', '\u051d'],
  ['x', '\u0445'],
  ['y', '\u0443'],
  ['z', '\u1d22'],
  ['-', '\u2010'],
  ['.', '\u3002'],
  ['_', '\u07fa'],
];

test.each(CONFUSABLES)(
  'an email in which a lookalike character replaces %s is recognized as an imitation',
  (letter, confusable) => {
    expect(isLookalike(`q${confusable}q@mail.example`, `q${letter}q@mail.example`)).toBe(true);
    expect(isLookalike(`q${confusable}@mail.example`, `q${letter}q@mail.example`)).toBe(false);
  },
);

test('an email is not recognized as an imitation of itself', () => {
  expect(isLookalike('\u0430nn@mail.example', '\u0430nn@mail.example')).toBe(false);
});
