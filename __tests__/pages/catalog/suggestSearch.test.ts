import { suggestSearch } from '../../../src/features/catalog/suggestSearch';
import { demoTools } from '../../../server/demo/tools';
import type { Tool } from '../../../src/contract/entities';

const tools = demoTools as unknown as Tool[];

test.each([
  ['hamer', 'hammer'],
  ['hmamer', 'hammer'],
  ['vice', 'vise'],
  ['micrometre', 'micrometer'],
  ['Scréwdrivr', 'screwdriver'],
  ['spanner', 'wrench'],
  ['allen key', 'hex key'],
  ['torqe wrench', 'torque wrench'],
])('a search for %s suggests %s', (typed, suggestion) => expect(suggestSearch(tools, typed)).toBe(suggestion));

test.each(['', 'xyz', 'lawnmower', 'hamer lawnmower', 'left-handed hammer'])(
  'a search for “%s” suggests nothing',
  (typed) => expect(suggestSearch(tools, typed)).toBeUndefined(),
);

test('a search that no tool would match is not suggested', () => {
  // “Torque” and “hammer” are each in the name of a tool, but no tool has both.
  expect(suggestSearch(tools, 'torque hamer')).toBeUndefined();
});
