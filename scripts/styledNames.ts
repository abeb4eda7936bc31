import { createHash } from 'node:crypto';
import { join, relative } from 'node:path';
import ts from 'typescript';

function isStyled(tag: ts.Expression): boolean {
  if (ts.isIdentifier(tag)) return tag.text === 'styled';
  return (ts.isCallExpression(tag) || ts.isPropertyAccessExpression(tag)) && isStyled(tag.expression);
}

function idOf(name: string, fileName: string) {
  const path = relative(join(__dirname, '..'), fileName).replaceAll('\\', '/');
  return `${name}-${createHash('sha256').update(path).digest('hex').slice(0, 6)}`;
}

function withId(tag: ts.Expression, id: string, factory: ts.NodeFactory) {
  const property = factory.createPropertyAssignment('componentId', factory.createStringLiteral(id));
  const config = factory.createObjectLiteralExpression([property]);
  return factory.createCallExpression(factory.createPropertyAccessExpression(tag, 'withConfig'), undefined, [config]);
}

const CSS_TAGS = ['css', 'createGlobalStyle'];
const isCss = (tag: ts.Expression) => (ts.isIdentifier(tag) && CSS_TAGS.includes(tag.text)) || isStyled(tag);
const shorter = (text: string) =>
  text
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};]) ?/g, '$1')
    .replace(/(?<=[\w-]): /g, ':');

/** Line breaks and indents of styles are for their readers. */
function squeeze(template: ts.TemplateLiteral, factory: ts.NodeFactory): ts.TemplateLiteral {
  if (ts.isNoSubstitutionTemplateLiteral(template))
    return factory.createNoSubstitutionTemplateLiteral(shorter(template.text));
  const spans = template.templateSpans.map(({ expression, literal: { kind, text } }) =>
    factory.createTemplateSpan(
      expression,
      kind === ts.SyntaxKind.TemplateTail
        ? factory.createTemplateTail(shorter(text))
        : factory.createTemplateMiddle(shorter(text)),
    ),
  );
  return factory.createTemplateExpression(factory.createTemplateHead(shorter(template.head.text)), spans);
}

/**
 * Names every styled component after its file and variable. By itself the library numbers them in the order in which
 * modules run, which differs between the server's bundle and the browser's, so that their class names would too.
 */
export const styledNames: ts.TransformerFactory<ts.SourceFile> = (context) => (file) => {
  const { factory } = context;

  function visit(node: ts.Node): ts.Node {
    if (ts.isTaggedTemplateExpression(node) && isCss(node.tag)) {
      const within = ts.visitEachChild(node.template, visit, context);
      return factory.updateTaggedTemplateExpression(node, node.tag, node.typeArguments, squeeze(within, factory));
    }
    const seen = ts.visitEachChild(node, visit, context);
    if (!ts.isVariableDeclaration(seen) || !ts.isIdentifier(seen.name)) return seen;
    const made = seen.initializer;
    if (!made || !ts.isTaggedTemplateExpression(made) || !isStyled(made.tag)) return seen;
    const tag = withId(made.tag, idOf(seen.name.text, file.fileName), factory);
    const tagged = factory.createTaggedTemplateExpression(tag, made.typeArguments, made.template);
    return factory.updateVariableDeclaration(seen, seen.name, seen.exclamationToken, seen.type, tagged);
  }

  return ts.visitEachChild(file, visit, context);
};
