import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '../../server/projectRoot';

const LIST = 'embedded/firebase-auth/common/passwords.txt';
let list: Promise<Set<string>> | undefined;

async function readList(): Promise<Set<string>> {
  const text = await readFile(join(projectRoot(), LIST), 'utf8');
  return new Set(text.toLowerCase().split('\n'));
}

/** The list is read at the first sign-up and then kept: about 1 MB. Capital letters do not make a password rare. */
export async function isCommonPassword(password: string): Promise<boolean> {
  list ??= readList().catch((error: unknown) => {
    list = undefined;
    throw error;
  });
  return (await list).has(password.toLowerCase());
}
