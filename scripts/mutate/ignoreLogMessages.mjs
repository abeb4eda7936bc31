const LEVELS = ['debug', 'info', 'warn', 'error', 'fatal'];

/** The prose of a log line is for people: its fields and that it is written are what tests may rely on. */
export const ignoreLogMessages = {
  shouldIgnore({ node, parent }) {
    if (parent?.type !== 'CallExpression' || parent.callee.type !== 'MemberExpression') return undefined;
    const { object, property } = parent.callee;
    const isLog = /^log(ger)?$/.test(object.name ?? object.property?.name ?? '') && LEVELS.includes(property.name);
    const isText = node.type === 'StringLiteral' || node.type === 'TemplateLiteral';
    return isLog && isText && parent.arguments.at(-1) === node ? 'the message of a log line' : undefined;
  },
};
