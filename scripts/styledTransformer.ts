import { createHash } from 'node:crypto';
import { join, relative } from 'node:path';
import ts from 'typescript';

function isStyled(tag: ts.Expression): boolean {
  if (ts.isIdentifier(tag)) return tag.text === 'styled';
  return (ts.isCallExpression(tag) || ts.isPropertyAccessExpression(tag)) && isStyled(tag.expression);
}

function componentIdOf(name: string, fileName: string) {
  const path = relative(join(__dirname, '..'), fileName).replaceAll('\\', '/');
  return `${name}-${createHash('sha256').update(path).digest('hex').slice(0, 6)}`;
}

function addComponentId(tag: ts.Expression, id: string, factory: ts.NodeFactory) {
  const property = factory.createPropertyAssignment('componentId', factory.createStringLiteral(id));
  const config = factory.createObjectLiteralExpression([property]);
  return factory.createCallExpression(factory.createPropertyAccessExpression(tag, 'withConfig'), undefined, [config]);
}

const CSS_TAGS = ['css', 'createGlobalStyle'];
const isCssTemplate = (tag: ts.Expression) => (ts.isIdentifier(tag) && CSS_TAGS.includes(tag.text)) || isStyled(tag);
const minifyCss = (text: string) =>
  text
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};]) ?/g, '$1')
    .replace(/(?<=[\w-]): /g, ':');

/** Removes comments, line breaks and indentation from styles. */
function minifyTemplate(template: ts.TemplateLiteral, factory: ts.NodeFactory): ts.TemplateLiteral {
  if (ts.isNoSubstitutionTemplateLiteral(template))
    return factory.createNoSubstitutionTemplateLiteral(minifyCss(template.text));
  const spans = template.templateSpans.map(({ expression, literal: { kind, text } }) =>
    factory.createTemplateSpan(
      expression,
      kind === ts.SyntaxKind.TemplateTail
        ? factory.createTemplateTail(minifyCss(text))
        : factory.createTemplateMiddle(minifyCss(text)),
    ),
  );
  return factory.createTemplateExpression(factory.createTemplateHead(minifyCss(template.head.text)), spans);
}

/**
 * Minifies styles, and gives every styled component an id made of its file and variable. By default the library numbers
 * components in the order in which modules run. This order differs between the server bundle and the browser bundle, so
 * their class names would differ too.
 */
export const styledTransformer: ts.TransformerFactory<ts.SourceFile> = (context) => (file) => {
  const { factory } = context;

  function visit(node: ts.Node): ts.Node {
    if (ts.isTaggedTemplateExpression(node) && isCssTemplate(node.tag)) {
      const template = ts.visitEachChild(node.template, visit, context);
      return factory.updateTaggedTemplateExpression(
        node,
        node.tag,
        node.typeArguments,
        minifyTemplate(template, factory),
      );
    }
    const visited = ts.visitEachChild(node, visit, context);
    if (!ts.isVariableDeclaration(visited) || !ts.isIdentifier(visited.name)) return visited;
    const initializer = visited.initializer;
    if (!initializer || !ts.isTaggedTemplateExpression(initializer) || !isStyled(initializer.tag)) return visited;
    const tag = addComponentId(initializer.tag, componentIdOf(visited.name.text, file.fileName), factory);
    const styledTemplate = factory.createTaggedTemplateExpression(tag, initializer.typeArguments, initializer.template);
    return factory.updateVariableDeclaration(
      visited,
      visited.name,
      visited.exclamationToken,
      visited.type,
      styledTemplate,
    );
  }

  return ts.visitEachChild(file, visit, context);
};
