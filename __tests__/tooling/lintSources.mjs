import { ESLint } from 'eslint';

/** Lints what stands on standard input, `[{ file, code }]`, as if it were there; answers the rules that each breaks. */
const given = [];
for await (const chunk of process.stdin) given.push(chunk);
const eslint = new ESLint();
const results = [];
for (const { file, code } of JSON.parse(Buffer.concat(given).toString())) {
  const [{ messages }] = await eslint.lintText(code, { filePath: file });
  results.push(messages.map(({ ruleId }) => ruleId));
}
process.stdout.write(JSON.stringify(results));
