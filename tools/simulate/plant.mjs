import { createRequire } from 'node:module';

const ts = createRequire(import.meta.url)('typescript');

function collect(tree, test) {
  const found = test(tree) ? [tree] : [];
  ts.forEachChild(tree, (child) => void found.push(...collect(child, test)));
  return found;
}

const COMPARISONS = ['===', '!==', '<', '<=', '>', '>='];
const isNamed = (node, name) => node.name?.getText() === name;
const isWord = (node) => ts.isIdentifier(node) || ts.isStringLiteral(node);
const mentions = (tree, words) => {
  const found = collect(tree, isWord).map(({ text }) => text);
  return words.split(' ').every((word) => found.includes(word));
};

/** Each kind of place has a name, or words that occur in it. */
const KINDS = {
  /** Of an `if`. */
  condition: (words) => (node) =>
    ts.isIfStatement(node.parent) && node.parent.expression === node && mentions(node, words),
  comparison: (words) => (node) =>
    ts.isBinaryExpression(node) && COMPARISONS.includes(node.operatorToken.getText()) && mentions(node, words),
  call: (name) => (node) =>
    ts.isCallExpression(node) && (isNamed(node.expression, name) || node.expression.getText() === name),
  /** The second argument of a call. */
  argument: (name) => (node) => KINDS.call(name)(node.parent) && node.parent.arguments[1] === node,
  value: (name) => (node) => ts.isPropertyAccessExpression(node) && isNamed(node, name),
  variable: (name) => (node) =>
    ts.isVariableDeclaration(node.parent) && node.parent.initializer === node && isNamed(node.parent, name),
  property: (name) => (node) =>
    (ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)) && isNamed(node, name),
  returned: () => (node) => ts.isReturnStatement(node.parent) && node.parent.expression === node,
  /** Words in a string or in an SQL statement. */
  text: (words) => (node) => (ts.isStringLiteral(node) || ts.isTemplateLiteralToken(node)) && node.text.includes(words),
};

const isDeclaration = (node) =>
  ts.isFunctionDeclaration(node) ||
  ts.isVariableDeclaration(node) ||
  ts.isPropertyAssignment(node) ||
  ts.isMethodDeclaration(node);

function only(nodes, what, { name, file }) {
  if (nodes.length === 1) return nodes[0];
  throw new Error(
    `${file} has ${nodes.length} times: ${what}. Update the bug "${name}" in tools/simulate/plantedBugs.mjs.`,
  );
}

/** Replaces the bug's place, which it names by its function and by a kind and a name, whatever the layout. */
export function plant(source, bug) {
  const tree = ts.createSourceFile(bug.file, source, ts.ScriptTarget.Latest, true);
  const within = only(
    collect(tree, (node) => isDeclaration(node) && isNamed(node, bug.within)),
    bug.within,
    bug,
  );
  const [, kind, word] = /^(\S+) ?(.*)$/.exec(bug.place);
  const found = only(collect(within, KINDS[kind](word)), `${bug.place} in ${bug.within}`, bug);
  const text =
    {
      property: () => `${word}: ${bug.becomes}`,
      text: () => found.getText().replace(word, bug.becomes),
    }[kind]?.() ?? bug.becomes;
  return source.slice(0, found.getStart()) + text + source.slice(found.end);
}
