import { ESLint } from 'eslint';

/** Reads `[{ file, code }]` from standard input, lints each `code` as if it were `file`, and prints the violated rules. */
const input = [];
for await (const chunk of process.stdin) input.push(chunk);
const eslint = new ESLint();
const results = [];
for (const { file, code } of JSON.parse(Buffer.concat(input).toString())) {
  const [{ messages }] = await eslint.lintText(code, { filePath: file });
  results.push(messages.map(({ ruleId }) => ruleId));
}
process.stdout.write(JSON.stringify(results));
