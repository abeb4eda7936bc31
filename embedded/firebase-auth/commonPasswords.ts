import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The list is read at the first sign-up and then kept: about 1 MB. Capital letters do not make a password rare. */
export function commonPasswords(folder: string) {
  let list: Promise<Set<string>> | undefined;

  async function readList(): Promise<Set<string>> {
    const text = await readFile(join(folder, 'common/passwords.txt'), 'utf8');
    return new Set(text.toLowerCase().split('\n'));
  }

  return async (password: string): Promise<boolean> => {
    list ??= readList().catch((error: unknown) => {
      list = undefined;
      throw error;
    });
    return (await list).has(password.toLowerCase());
  };
}
