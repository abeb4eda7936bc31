import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import ts from 'typescript';

export const SEPARATOR = ' › ';
const TEST_FILE = /\.test\.tsx?$/;
/** Matches the comment above a test that names the clauses it checks: `// Clauses A.2.7, C.6.3`. */
const CLAUSES = /^\/\/ Clauses? (.+)$/;

/** @returns 'test' or 'describe' for a call such as `test(…)` or `test.each(…)(…)`, but not with `skip` or `only` */
function findKind(callee) {
  if (ts.isIdentifier(callee)) return { test: 'test', it: 'test', describe: 'describe' }[callee.text];
  const each = ts.isCallExpression(callee) ? callee.expression : undefined;
  const isEach = each && ts.isPropertyAccessExpression(each) && each.name.text === 'each';
  return isEach ? findKind(each.expression) : undefined;
}

function readClauses(text, statement) {
  const comments = ts.getLeadingCommentRanges(text, statement.getFullStart()) ?? [];
  const lists = comments.map(({ pos, end }) => CLAUSES.exec(text.slice(pos, end))?.[1]);
  return lists.filter(Boolean).flatMap((list) => list.split(', '));
}

function parseTests(path, file) {
  const text = readFileSync(path, 'utf8');
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node, titles, statement) => {
    const title = ts.isCallExpression(node) ? node.arguments[0] : undefined;
    const kind = title && ts.isStringLiteralLike(title) ? findKind(node.expression) : undefined;
    const innerTitles = kind ? [...titles, title.text] : titles;
    if (kind === 'test')
      found.push({ file, title: innerTitles.join(SEPARATOR), clauses: readClauses(text, statement) });
    else ts.forEachChild(node, (child) => visit(child, innerTitles, ts.isStatement(child) ? child : statement));
  };
  visit(source, [], source);
  return found;
}

const listFiles = (folder) =>
  existsSync(folder) ? readdirSync(folder, { recursive: true }).map((name) => name.split(sep).join('/')) : [];

/** @returns the test files of the project in `folder`, with `/` as the separator on every system */
export const listTestFiles = (folder) =>
  ['__tests__', 'embedded']
    .flatMap((name) => listFiles(join(folder, name)).map((file) => `${name}/${file}`))
    .filter((file) => TEST_FILE.test(file) && !file.includes('node_modules/'))
    .sort();

/** @returns the short name of a test file, such as `server/http/network` or `embedded/stripe/tests/cards` */
export const shortTestName = (file) => file.replace(/^__tests__\//, '').replace(TEST_FILE, '');

/** @returns `file`, `title` and `clauses` of every test in the sources of the project in `folder` */
export const listTests = (folder) =>
  listTestFiles(folder).flatMap((file) => parseTests(join(folder, file), shortTestName(file)));
