import { existsSync, readdirSync, readFileSync } from 'node:fs';
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

const namesIn = (folder) =>
  existsSync(folder) ? readdirSync(folder, { recursive: true }).map((name) => name.split(sep).join('/')) : [];

/** @returns the files with tests in the project in `folder`, with `/` on every system */
export const testFiles = (folder) =>
  ['__tests__', 'embedded']
    .flatMap((name) => namesIn(join(folder, name)).map((file) => `${name}/${file}`))
    .filter((file) => TEST_FILE.test(file) && !file.includes('node_modules/'))
    .sort();

/** @returns a test's file as documents name it: `server/http/network`, `embedded/stripe/tests/cards` */
export const shortName = (file) => file.replace(/^__tests__\//, '').replace(TEST_FILE, '');

/** @returns every test of the project in `folder` as it stands in the sources: `file`, `title`, `clauses` */
export const testTitles = (folder) => testFiles(folder).flatMap((file) => testsIn(join(folder, file), shortName(file)));
