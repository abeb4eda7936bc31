import { TOOLS_IN_HTML } from '../../contract/limits';
import type { Tool } from '../../contract/entities';
import { searchTextOf } from '../../contract/searchText';

/** What tools do, in the order of the buttons. The first row with a word of the tool's name has it. */
const FAMILIES: [family: string, words: RegExp][] = [
  ['Power', /\b(cordless|drill|grinder|sander|circular)s?\b/],
  ['Striking', /\b(hammer|mallet|punch)s?\b/],
  ['Gripping', /\b(pliers|wrench|wrenche|spanner|ratchet|socket|key|screwdriver)s?\b/],
  ['Cutting', /\b(saw|hacksaw|chisel|file|plane|knife|shears|snips)s?\b/],
  ['Measuring', /\b(caliper|micrometer|square|level|measure|gauge)s?\b/],
  ['Holding', /\b(vise|vice|clamp)s?\b/],
];
const OTHER = 'Other';

/** @returns the one family that the tool is in. Its description decides if its name says nothing. */
export function familyOf(tool: Tool): string {
  const text = searchTextOf(tool);
  const find = (part: string) => FAMILIES.find(([, words]) => words.test(part))?.[0];
  return find(text.slice(0, tool.name.length)) ?? find(text) ?? OTHER;
}

/**
 * Looks only at as many tools as the server's HTML contains, so that the families do not change when the rest of the
 * list is loaded.
 */
export function familiesOf(tools: readonly Tool[]): string[] {
  const found = new Set(tools.slice(0, TOOLS_IN_HTML).map(familyOf));
  return [...FAMILIES.map(([family]) => family), OTHER].filter((family) => found.has(family));
}
