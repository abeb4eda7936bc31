import { TOOLS_IN_HTML } from '../../contract/limits';
import type { Tool } from '../../contract/entities';

const MAX_KINDS = 6;

/** Words for several tools that are sold together, which say nothing about their kind. */
const WORDS_FOR_SETS = ['set', 'kit', 'pack'];

/** @returns the last word of three or more letters before the comma, such as "hammer" for "Cross-peen hammer, 500 g" */
const kindOf = ({ name }: Tool) =>
  name
    .split(',')[0]!
    .match(/(?<![^ -])\p{L}{3,}(?![^ ])/gu)
    ?.map((word) => word.toLowerCase())
    .findLast((word) => !WORDS_FOR_SETS.includes(word));

/**
 * Looks only at as many tools as the server's HTML contains, so that the kinds do not change when the rest of the list
 * is loaded.
 * @returns at most six kinds of which there are several tools, the most frequent first
 */
export function kindsOf(tools: readonly Tool[]): string[] {
  const counts = new Map<string, number>();
  for (const tool of tools.slice(0, TOOLS_IN_HTML)) {
    const kind = kindOf(tool);
    if (kind) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const shared = [...counts].filter(([, count]) => count > 1);
  return shared
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_KINDS)
    .map(([kind]) => kind);
}
