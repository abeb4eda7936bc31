import { normalizeStoredEmail } from '../auth/emailAddress';
import { connectToShopDatabase, type ShopConnection } from './connectToShopDatabase';

export interface CommandResult {
  ok: boolean;
  output: string;
}
export const succeeded = (output: string): CommandResult => ({ ok: true, output });
export const failed = (output: string): CommandResult => ({ ok: false, output });

type Command = (connection: ShopConnection) => Promise<CommandResult>;
/** A command about the person who has this email. */
export type EmailCommand = (connection: ShopConnection, email: string) => Promise<CommandResult>;

/**
 * Runs the command, or prints the usage. Checks no permissions, because only the operator can run it.
 * @returns the exit code
 */
export async function runCommand(
  command: Command | undefined,
  usage: string,
  env: Record<string, string | undefined>,
): Promise<number> {
  if (!command) {
    process.stderr.write(`${usage}\n`);
    return 1;
  }
  const connection = await connectToShopDatabase(env);
  try {
    const { ok, output } = await command(connection);
    (ok ? process.stdout : process.stderr).write(`${output}\n`);
    return ok ? 0 : 1;
  } finally {
    await connection.close();
  }
}

/** Runs the command that the first argument names, with the email that is the second. */
export function runEmailCommand(
  commands: Record<string, EmailCommand>,
  usage: string,
  argv: string[],
  env: Record<string, string | undefined>,
): Promise<number> {
  const [name = '', typed = '', ...rest] = argv;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  const email = normalizeStoredEmail(typed);
  const isValid = command && email && rest.length === 0;
  return runCommand(isValid ? (connection) => command(connection, email) : undefined, usage, env);
}
