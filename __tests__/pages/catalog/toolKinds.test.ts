import { kindsOf } from '../../../src/features/catalog/toolKinds';
import type { Tool } from '../../../src/contract/entities';

const toolsNamed = (...names: string[]) => names.map((name) => ({ name }) as Tool);

test('the kind of a tool is the last word of its name before a comma, and kinds of only one tool are left out', () => {
  const tools = toolsNamed(
    'Claw hammer, 560 g',
    'Panel saw, 550 mm',
    'Wrench 7',
    'C-clamp',
    'Bar clamp',
    'WRENCH 8',
    'Wrench 9',
  );
  expect(kindsOf(tools)).toEqual(['wrench', 'clamp']);
  expect(kindsOf(toolsNamed('', '12, mm', 'M8', 'M8'))).toEqual([]);
});

test('the home page offers at most six kinds of tools, the most frequent first', () => {
  const names = Array.from({ length: 8 }, (_, i) =>
    Array.from({ length: i + 2 }, () => `Tool ${'abcdefgh'[i]!.repeat(3)}`),
  );
  expect(kindsOf(toolsNamed(...names.flat()))).toEqual(['hhh', 'ggg', 'fff', 'eee', 'ddd', 'ccc']);
});
