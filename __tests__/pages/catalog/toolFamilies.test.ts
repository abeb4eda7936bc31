import { demoTools } from '../../../server/demo/tools';
import { familiesOf, familyOf } from '../../../src/features/catalog/toolFamilies';
import type { Tool } from '../../../src/contract/entities';

const toolsNamed = (...names: string[]) => names.map((name) => ({ name, description: '' }) as Tool);

test('each demo tool is in one family, and none in Other', () => {
  const counts = new Map<string, number>();
  for (const tool of demoTools as unknown as Tool[]) counts.set(familyOf(tool), (counts.get(familyOf(tool)) ?? 0) + 1);
  expect(Object.fromEntries(counts)).toEqual({
    ...{ Striking: 2, Gripping: 8, Cutting: 5, Measuring: 5, Holding: 3, Power: 4 },
  });
});

test('the name decides before the description, and a tool whose words say nothing is in Other', () => {
  const chisel = { name: 'Mortise chisels, 3 pieces', description: 'To strike with a mallet.' } as Tool;
  const beater = { name: 'Panel beater', description: 'A hammer for sheet metal.' } as Tool;
  expect([chisel, beater, ...toolsNamed('Apron', 'CIRCULAR SAW', 'Wrenches')].map(familyOf)).toEqual([
    ...['Cutting', 'Striking', 'Other', 'Power', 'Gripping'],
  ]);
});

test('only families of which there is a tool are offered, in the same order always', () => {
  expect(familiesOf(toolsNamed('Apron', 'Level', 'Claw hammer', 'Bar clamp'))).toEqual([
    ...['Striking', 'Measuring', 'Holding', 'Other'],
  ]);
});
