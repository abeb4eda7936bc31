import { main } from '../../../server/cli/admin';

/**
 * Runs `npm run admin` in this process.
 * @returns its exit code and its output
 */
export async function runAdminCommand(env: Record<string, string>, ...argv: string[]): Promise<[number, string]> {
  const output: string[] = [];
  const spies = [process.stdout, process.stderr].map((stream) =>
    jest.spyOn(stream, 'write').mockImplementation((text) => (output.push(String(text).trim()), true)),
  );
  try {
    return [await main(argv, env), output.join(' ')];
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
