const LEVELS = ['debug', 'info', 'warn', 'error', 'fatal'];

/**
 * Skips mutants of a log line's wording, because tests should rely only on the line and its fields, and of the names of
 * checkpoints, because only tests use them.
 */
export const ignoreLabels = {
  shouldIgnore({ node, parent }) {
    const isText = node.type === 'StringLiteral' || node.type === 'TemplateLiteral';
    if (!isText || parent?.type !== 'CallExpression' || parent.arguments.at(-1) !== node) return undefined;
    const { callee } = parent;
    if ((callee.property ?? callee).name === 'checkpoint') return 'the name of a checkpoint';
    if (callee.type !== 'MemberExpression') return undefined;
    const { object, property } = callee;
    const isLog = /^log(ger)?$/.test(object.name ?? object.property?.name ?? '') && LEVELS.includes(property.name);
    return isLog ? 'the message of a log line' : undefined;
  },
};
