import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Whom PostgreSQL runs as when the server itself runs as root, which PostgreSQL refuses. */
export interface Runner {
  name: string;
  uid: number;
  gid: number;
}

const PREFERRED = ['postgres', '_postgres', 'nobody'];
const MADE = 'forgeline';

export function usersIn(passwd: string): Runner[] {
  return passwd
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ uid, gid }) => uid > 0 && gid > 0);
}

export function chooseRunner(users: Runner[], owner: number): Runner | undefined {
  const named = PREFERRED.map((name) => users.find((user) => user.name === name));
  return users.find(({ uid }) => uid === owner) ?? named.find(Boolean) ?? users[0];
}

function makeUser(say: (sentence: string) => void): Runner {
  const ways: [string, string[]][] = [
    ['useradd', ['--system', '--no-create-home', '--shell', '/bin/false', MADE]],
    ['adduser', ['-S', '-D', '-H', MADE]],
  ];
  for (const [command, args] of ways) {
    try {
      execFileSync(command, args, { stdio: 'ignore' });
    } catch {
      continue;
    }
    const made = systemUsers().find(({ name }) => name === MADE);
    if (!made) continue;
    say(`PostgreSQL does not run as root and there was no other user: made the system user ${MADE}.`);
    return made;
  }
  throw new Error('PostgreSQL does not run as root and there is no other user: add one, or set DATABASE_URL.');
}

const systemUsers = () => (existsSync('/etc/passwd') ? usersIn(readFileSync('/etc/passwd', 'utf8')) : []);

function ownerOf(folder: string): number {
  return existsSync(folder) ? statSync(folder).uid : ownerOf(dirname(folder));
}

export function runnerFor(folder: string, say: (sentence: string) => void): Runner | undefined {
  if (process.getuid?.() !== 0) return undefined;
  return chooseRunner(systemUsers(), ownerOf(folder)) ?? makeUser(say);
}

export function spawnAs(runner: Runner | undefined): { uid?: number; gid?: number } {
  return runner ? { uid: runner.uid, gid: runner.gid } : {};
}

export function canEnter({ uid, gid }: Runner, folder: string): boolean {
  const at = statSync(folder);
  const needed = at.uid === uid ? 0o100 : at.gid === gid ? 0o010 : 0o001;
  if (!(at.mode & needed)) return false;
  return folder === dirname(folder) || canEnter({ name: '', uid, gid }, dirname(folder));
}
