import { keepUnitsTogether } from '../../../src/contract/keepUnitsTogether';

test.each([
  ['Cross-peen hammer, 500 g', 'Cross-peen hammer, 500\u00a0g'],
  ['Ratchet, 1/2 in drive', 'Ratchet, 1/2\u00a0in drive'],
  ['Torque wrench, 40–200 N·m', 'Torque wrench, 40–200\u00a0N·m'],
  ['Engineer’s square, 150 × 100 mm', 'Engineer’s square, 150 × 100\u00a0mm'],
  ['Hex key set, 9 pieces', 'Hex key set, 9 pieces'],
])('the name "%s" gets a no-break space only between a number and a unit symbol', (name, shown) => {
  expect(keepUnitsTogether(name)).toBe(shown);
});
