import { main } from '../../../server/cli/mail';

/** Runs `npm run mail` with these arguments in this process. */
export async function runMailCli(env: Record<string, string | undefined>, ...argv: string[]) {
  const output: string[] = [];
  const record = (text: string | Uint8Array) => output.push(String(text)) > 0;
  const spies = [process.stdout, process.stderr].map((stream) =>
    jest.spyOn(stream, 'write').mockImplementation(record),
  );
  const code = await main(argv, env);
  for (const spy of spies) spy.mockRestore();
  return { code, output: output.join('') };
}
