import type { Env } from '../../server/settings/readers';

/**
 * Runs a command of `server/cli` in this process.
 * @returns its exit code, and what it prints to stdout and to stderr
 */
export async function runCli(
  main: (argv: string[], env: Env) => Promise<number>,
  argv: string[],
  env: Env,
): Promise<{ code: number; out: string; err: string }> {
  const printed = { out: '', err: '' };
  const capture = (stream: NodeJS.WriteStream, name: 'out' | 'err') =>
    jest.spyOn(stream, 'write').mockImplementation((text) => Boolean((printed[name] += String(text))));
  const spies = [capture(process.stdout, 'out'), capture(process.stderr, 'err')];
  try {
    return { code: await main(argv, env), ...printed };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
