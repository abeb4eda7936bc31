const LEVELS = ['debug', 'info', 'warn', 'error', 'fatal'];

/** A statement is an object with a name and a text, or `sql` in the sandbox. */
const isStatementName = ({ parent, parentPath }) =>
  parent?.type === 'ObjectProperty' &&
  parent.key.name === 'name' &&
  parentPath.parent.properties.some(({ key }) => ['text', 'sql'].includes(key?.name));

/**
 * Skips mutants of a log line's wording, because tests should rely only on the line and its fields, of the names of
 * checkpoints, because only tests use them, and of the names of statements, because these only label them.
 */
export const ignoreLabels = {
  shouldIgnore(path) {
    const { node, parent } = path;
    const isText = node.type === 'StringLiteral' || node.type === 'TemplateLiteral';
    if (isText && isStatementName(path)) return 'the name of a statement';
    if (!isText || parent?.type !== 'CallExpression' || parent.arguments.at(-1) !== node) return undefined;
    const { callee } = parent;
    if (['checkpoint', 'prepare'].includes((callee.property ?? callee).name))
      return 'the name of a step or a statement';
    if (callee.type !== 'MemberExpression') return undefined;
    const { object, property } = callee;
    const isLog = /^log(ger)?$/.test(object.name ?? object.property?.name ?? '') && LEVELS.includes(property.name);
    return isLog ? 'the message of a log line' : undefined;
  },
};
