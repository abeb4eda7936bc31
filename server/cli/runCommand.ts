import { normalizeStoredEmail } from '../auth/emailAddress';
import type { Env } from '../settings/readers';
import { connectToShopDatabase, type ShopConnection } from './connectToShopDatabase';

export interface CommandResult {
  ok: boolean;
  output: string;
}
export const succeeded = (output: string): CommandResult => ({ ok: true, output });
export const failed = (output: string): CommandResult => ({ ok: false, output });

export const print = (text: string) => void process.stdout.write(`${text}\n`);
export const printError = (text: string) => void process.stderr.write(`${text}\n`);

/** Does work that is connected to the shop's database, and then disconnects. */
export async function withShop<T>(
  work: (connection: ShopConnection) => Promise<T>,
  ...options: Parameters<typeof connectToShopDatabase>
): Promise<T> {
  const connection = await connectToShopDatabase(...options);
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

type Command = (connection: ShopConnection, ...words: string[]) => Promise<CommandResult>;

/**
 * Runs the command that the first argument names, with the others as its words. Prints the usage if there is no such
 * command, or if it takes another number of words. Checks no permissions, because only the operator can run it.
 * @returns the exit code
 */
export async function runCommand(
  commands: Record<string, Command>,
  usage: string,
  [name = '', ...words]: string[],
  env: Env,
): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command?.length !== words.length + 1) {
    printError(usage);
    return 1;
  }
  return withShop(async (connection) => {
    const { ok, output } = await command(connection, ...words);
    (ok ? print : printError)(output);
    return ok ? 0 : 1;
  }, env);
}

/** Runs a command about the person who has the email that is the second argument. */
export function runEmailCommand(
  commands: Record<string, Command>,
  usage: string,
  [name = '', typed = '', ...rest]: string[],
  env: Env,
): Promise<number> {
  const email = normalizeStoredEmail(typed);
  return runCommand(commands, usage, email ? [name, email, ...rest] : [], env);
}
