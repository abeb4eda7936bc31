const LEVELS = ['debug', 'info', 'warn', 'error', 'fatal'];

/** Skips mutants of a log line's wording, because tests should rely only on the line and its fields. */
export const ignoreLogMessages = {
  shouldIgnore({ node, parent }) {
    if (parent?.type !== 'CallExpression' || parent.callee.type !== 'MemberExpression') return undefined;
    const { object, property } = parent.callee;
    const isLog = /^log(ger)?$/.test(object.name ?? object.property?.name ?? '') && LEVELS.includes(property.name);
    const isText = node.type === 'StringLiteral' || node.type === 'TemplateLiteral';
    return isLog && isText && parent.arguments.at(-1) === node ? 'the message of a log line' : undefined;
  },
};
