export type Fact = readonly [label: string, value: string];

const MAX_LABEL_LENGTH = 40;

function factOf(line: string): Fact | undefined {
  const [label = '', ...rest] = line.split(': ');
  const fact = [label.trim(), rest.join(': ').trim()] as const;
  return fact[0] && fact[1] && label.length <= MAX_LABEL_LENGTH ? fact : undefined;
}

/** The label of a tool's length and height, such as "320 × 101 mm". The tool's page shows them in a drawing. */
export const DIMENSIONS = 'Dimensions';

/** The values of these facts need no label. */
const CLEAR_LABEL = /weight|length|standard|hardness|power|speed|torque|size|drive|steel|tip|battery/i;

/** The tool's page shows these. A card has no room for them. */
const ONLY_ON_PAGE = [DIMENSIONS, 'Part number'];

/** @returns what a card shows: each fact in a few words, such as "500 g" or "Teeth 72", without details after a comma */
export const shortFactsOf = (description: string): string[] =>
  splitDescription(description)
    .facts.filter(([label]) => !ONLY_ON_PAGE.includes(label))
    .map(([label, value]) => {
      const [short] = value.split(', ') as [string];
      return CLEAR_LABEL.test(label) ? short : `${label} ${short}`;
    });

/**
 * Separates facts, such as "Weight: 500 g", from text. Each fact has a line of its own. The first line is always text.
 */
export function splitDescription(description: string): { text: string; facts: Fact[] } {
  const [first = '', ...more] = description.split('\n').map((line) => line.trim());
  const lines = [first, ...more.filter((line) => line && !factOf(line))];
  return { text: lines.join('\n').trim(), facts: more.map(factOf).filter((fact) => fact !== undefined) };
}
