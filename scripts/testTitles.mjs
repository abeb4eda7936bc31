import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import ts from 'typescript';

export const SEPARATOR = ' › ';
const TEST_FILE = /\.test\.tsx?$/;
/** Above a test: the clauses of the specification that it checks, as in `// Clauses A.2.7, C.6.3`. */
const CLAUSES = /^\/\/ Clauses? (.+)$/;

/** `test` of `test(…)` and of `test.each(…)(…)`. A test with `skip` or `only` does not count. */
function kindOf(callee) {
  if (ts.isIdentifier(callee)) return { test: 'test', it: 'test', describe: 'describe' }[callee.text];
  const each = ts.isCallExpression(callee) ? callee.expression : undefined;
  const isEach = each && ts.isPropertyAccessExpression(each) && each.name.text === 'each';
  return isEach ? kindOf(each.expression) : undefined;
}

function clausesAbove(text, statement) {
  const comments = ts.getLeadingCommentRanges(text, statement.getFullStart()) ?? [];
  const lists = comments.map(({ pos, end }) => CLAUSES.exec(text.slice(pos, end))?.[1]);
  return lists.filter(Boolean).flatMap((list) => list.split(', '));
}

function testsIn(path, file) {
  const text = readFileSync(path, 'utf8');
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node, titles, statement) => {
    const title = ts.isCallExpression(node) ? node.arguments[0] : undefined;
    const kind = title && ts.isStringLiteralLike(title) ? kindOf(node.expression) : undefined;
    const inside = kind ? [...titles, title.text] : titles;
    if (kind === 'test') found.push({ file, title: inside.join(SEPARATOR), clauses: clausesAbove(text, statement) });
    else ts.forEachChild(node, (child) => visit(child, inside, ts.isStatement(child) ? child : statement));
  };
  visit(source, [], source);
  return found;
}

/** @returns every test under this folder, as it stands in the sources: `file` without `.test.ts`, `title`, `clauses` */
export const testTitles = (folder) =>
  readdirSync(folder, { recursive: true })
    .map((name) => name.split(sep).join('/'))
    .filter((name) => TEST_FILE.test(name) && !name.includes('node_modules/'))
    .sort()
    .flatMap((name) => testsIn(join(folder, name), name.replace(TEST_FILE, '')));
