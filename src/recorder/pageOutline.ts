import { hashText } from './stateHash';

/** Stands for a text that may be personal. In a comparison, it equals every text. */
export const ANY_TEXT = '??';

export interface OutlineNode {
  /** Two characters with 12 bits of a hash of the line, which are too few to guess a text. */
  mark: string;
  line: string;
}

/** Only the first rows of a list are read, because further rows appear only when the customer scrolls. */
const ROWS_READ = 12;
const ROLES: Record<string, string> = {
  ...{ a: 'link', article: 'article', button: 'button', dl: 'definitions', dt: 'term', form: 'form' },
  ...{ h1: 'heading 1', h2: 'heading 2', h3: 'heading 3', h4: 'heading 4', img: 'img', input: 'input', li: 'listitem' },
  ...{ nav: 'navigation', ol: 'list', option: 'option', output: 'status', section: 'section', select: 'combobox' },
  ...{ summary: 'summary', textarea: 'textbox', ul: 'list' },
};
const STATES = ['busy', 'checked', 'current', 'disabled', 'expanded', 'invalid', 'pressed', 'selected'];
const SKIPPED =
  'script, style, svg, iframe, dialog, [hidden], [inert], [aria-hidden=true], [role=tooltip], [data-unrecorded]';
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

function textDigestOf(text: string): string {
  const hash = hashText(text);
  return ALPHABET[(hash >>> 6) & 63]! + ALPHABET[hash & 63]!;
}

function describeElement(element: Element): string | undefined {
  const tag = element.localName;
  const role = element.getAttribute('role') ?? ROLES[tag];
  if (!role || role === 'presentation') return undefined;
  const states = STATES.map((state) => [state, element.getAttribute(`aria-${state}`)])
    .filter(([, value]) => value !== null && value !== 'false')
    .map(([state, value]) => `${state}=${value}`);
  return [role, tag === 'input' && element.getAttribute('type'), element.matches(':disabled') && 'disabled', ...states]
    .filter(Boolean)
    .join(' ');
}

/**
 * Reads the roles, states and texts in an element, and nothing that makes the browser compute the layout. Leaves out
 * what changes by typing, scrolling or time: the values of fields, dialogs, rows far down a list, times, and elements
 * with `data-unrecorded`.
 * @param isPrivate decides which texts become `ANY_TEXT`
 */
export function readOutline(root: Element, isPrivate: (text: string) => boolean): OutlineNode[] {
  const nodes: OutlineNode[] = [];
  const add = (line: string, depth: number, mark = textDigestOf(`${depth} ${line}`)) =>
    void nodes.push({ mark, line: '  '.repeat(depth) + line });

  function addText(raw: string | null, depth: number) {
    const text = raw?.replace(/\s+/g, ' ').trim();
    if (text) add(`"${text}"`, depth, isPrivate(text) ? ANY_TEXT : undefined);
  }
  function walk(element: Element, depth: number, list: { rows: number }) {
    if (element.matches(SKIPPED)) return;
    const description = describeElement(element);
    if (/^(?:listitem|row)\b/.test(description ?? '') && ++list.rows > ROWS_READ) return;
    if (description) add(description, depth++);
    addText(element.getAttribute('aria-label') ?? element.getAttribute('alt'), depth);
    if (element.localName === 'time') return;
    const inner = /^(?:list|table)\b/.test(description ?? '') ? { rows: 0 } : list;
    for (const child of element.childNodes) {
      if (child instanceof Text) addText(child.data, depth);
      else if (child instanceof Element) walk(child, depth, inner);
    }
  }
  walk(root, 0, { rows: 0 });
  return nodes;
}

export const encodeOutline = (nodes: OutlineNode[]): string => nodes.map(({ mark }) => mark).join('');

/** @returns the index of the first node that differs from the recorded outline, or -1 */
export function findOutlineDifference(nodes: OutlineNode[], recorded: string): number {
  const marks: string[] = recorded.match(/../g) ?? [];
  if (marks.length < nodes.length) marks.push('');
  return marks.findIndex((mark, index) => mark !== nodes[index]?.mark && !(mark === ANY_TEXT && nodes[index]));
}
