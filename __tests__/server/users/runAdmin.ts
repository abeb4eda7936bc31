import { main } from '../../../server/cli/admin';

/** `npm run admin` in this process: its exit code and what it said. */
export async function runAdmin(env: Record<string, string>, ...argv: string[]): Promise<[number, string]> {
  const said: string[] = [];
  const spies = [process.stdout, process.stderr].map((stream) =>
    jest.spyOn(stream, 'write').mockImplementation((text) => (said.push(String(text).trim()), true)),
  );
  try {
    return [await main(argv, env), said.join(' ')];
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
