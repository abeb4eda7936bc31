import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** PostgreSQL refuses to run as root. If the server runs as root, PostgreSQL runs as this user. */
export interface OsUser {
  name: string;
  uid: number;
  gid: number;
}

const PREFERRED_USERS = ['postgres', '_postgres', 'nobody'];

export function parsePasswd(passwd: string): OsUser[] {
  return passwd
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ uid, gid }) => uid > 0 && gid > 0);
}

export function chooseOsUser(users: OsUser[], ownerUid: number): OsUser | undefined {
  const preferred = PREFERRED_USERS.map((name) => users.find((user) => user.name === name));
  return users.find(({ uid }) => uid === ownerUid) ?? preferred.find(Boolean) ?? users[0];
}

const systemUsers = () => (existsSync('/etc/passwd') ? parsePasswd(readFileSync('/etc/passwd', 'utf8')) : []);

function ownerOf(folder: string): number {
  return existsSync(folder) ? statSync(folder).uid : ownerOf(dirname(folder));
}

/** @returns undefined if this process does not run as root */
export function findOsUser(folder: string): OsUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const user = chooseOsUser(systemUsers(), ownerOf(folder));
  if (user) return user;
  throw new Error('PostgreSQL does not run as root, and there is no other user: add one, or set DATABASE_URL.');
}

export function spawnAs(osUser: OsUser | undefined): { uid?: number; gid?: number } {
  return osUser ? { uid: osUser.uid, gid: osUser.gid } : {};
}

export function canEnter({ uid, gid }: OsUser, folder: string): boolean {
  const stats = statSync(folder);
  const requiredBit = stats.uid === uid ? 0o100 : stats.gid === gid ? 0o010 : 0o001;
  if (!(stats.mode & requiredBit)) return false;
  return folder === dirname(folder) || canEnter({ name: '', uid, gid }, dirname(folder));
}
