import { findOutlineDifference, readOutline } from '../../recorder/pageOutline';

const CONTEXT_LINES = 3;

/**
 * @returns the first line in which this page differs from the customer's, with the lines before it. '' if none differs.
 */
export function describeDifference(main: Element, recorded: string): string {
  const nodes = readOutline(main, () => false);
  const position = findOutlineDifference(nodes, recorded);
  if (position < 0) return '';
  const before = nodes.slice(Math.max(0, position - CONTEXT_LINES), position).map(({ line }) => `  ${line}`);
  return [...before, `> ${nodes[position]?.line ?? '(this page ends here)'}`].join('\n');
}
