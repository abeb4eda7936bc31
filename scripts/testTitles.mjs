import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const ROOMS = ['server', 'pages', 'browser'];
export const SEPARATOR = ' › ';

/** `test` of `test(…)` and of `test.each(…)(…)`; what is skipped, or the only one, counts as none. */
function kindOf(callee) {
  if (ts.isIdentifier(callee)) return { test: 'test', it: 'test', describe: 'describe' }[callee.text];
  const each = ts.isCallExpression(callee) ? callee.expression : undefined;
  const isEach = each && ts.isPropertyAccessExpression(each) && each.name.text === 'each';
  return isEach ? kindOf(each.expression) : undefined;
}

function titlesIn(file) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  const found = [];
  const visit = (node, path) => {
    const title = ts.isCallExpression(node) ? node.arguments[0] : undefined;
    const kind = title && ts.isStringLiteralLike(title) ? kindOf(node.expression) : undefined;
    const inside = kind ? [...path, title.text] : path;
    if (kind === 'test') found.push(inside.join(SEPARATOR));
    else ts.forEachChild(node, (child) => visit(child, inside));
  };
  visit(source, []);
  return found;
}

/** Every test of the house as `room/file › describe › title`, read from the sources as they are written. */
export function testTitles(folder) {
  const files = ROOMS.flatMap((room) => readdirSync(join(folder, room)).map((name) => `${room}/${name}`));
  return files
    .filter((name) => /\.test\.tsx?$/.test(name))
    .flatMap((name) => titlesIn(join(folder, name)).map((title) => name.replace(/\.test\.tsx?$/, SEPARATOR) + title));
}
