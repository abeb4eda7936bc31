import {
  addMachineKey,
  isMachineSubject,
  listMachineKeys,
  MACHINE_ROUTES,
  removeMachineKey,
} from '../auth/machineKeys';
import type { Env } from '../settings/readers';
import type { ShopConnection } from './connectToShopDatabase';
import { failed, runCommand, succeeded, type CommandResult } from './runCommand';

const USAGE = 'Usage: npm run keys -- add NAME --may tools,orders | list | remove NAME';
const NAME = /^[a-z0-9][a-z0-9._-]{0,39}$/i;

async function add({ db }: ShopConnection, name: string, option: string, may: string): Promise<CommandResult> {
  if (option !== '--may') return failed(USAGE);
  const subjects = [...new Set(may.split(','))];
  if (!NAME.test(name)) return failed('A name has at most 40 letters, digits, dots, dashes and underscores.');
  if (!subjects.every(isMachineSubject))
    return failed(`A key may open ${Object.keys(MACHINE_ROUTES).join(' or ')}, or both. ${USAGE}`);
  const token = await addMachineKey(db, name, subjects);
  if (!token) return failed(`There is a key ${name} already. Remove it first, or choose another name.`);
  return succeeded(
    `${token}\nThis is the bearer token of the key ${name}. Store it now, because it is not shown again.`,
  );
}

async function list({ db }: ShopConnection): Promise<CommandResult> {
  const keys = await listMachineKeys(db);
  const lines = keys.map(({ name, may, createdAt }) => [name, may.join(','), createdAt.toISOString()].join('\t'));
  return succeeded(lines.join('\n') || 'There are no keys.');
}

async function remove({ db }: ShopConnection, name: string): Promise<CommandResult> {
  return (await removeMachineKey(db, name))
    ? succeeded(`Removed the key ${name}. Its token has stopped working.`)
    : failed(`There is no key ${name}.`);
}

export const main = (argv: string[], env: Env): Promise<number> => runCommand({ add, list, remove }, USAGE, argv, env);
