import { execFile } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const DEPLOY = join(__dirname, '../../deploy');

describe('pin-images.sh', () => {
  const folder = mkdtempSync(join(tmpdir(), 'forgeline-pin-'));
  const [script, env, docker] = ['pin-images.sh', '.env', 'docker'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs the script with a fake docker that reports these digests, because the real one needs a network. */
  async function pin(...repoDigests: string[]) {
    copyFileSync(join(DEPLOY, 'pin-images.sh'), script);
    writeFileSync(docker, `#!/bin/sh\n[ "$1" = pull ] && exit 0\ncat <<'END'\n${repoDigests.join('\n')}\nEND\n`);
    chmodSync(docker, 0o755);
    return promisify(execFile)('sh', [script], { env: { ...process.env, DOCKER: docker } });
  }
  const digest = (letter: string) => `sha256:${letter.repeat(64)}`;

  it('writes the digest of each image, keeps other lines, and replaces its own lines on the next run', async () => {
    writeFileSync(env, 'PUBLIC_URL=https://shop.example\nNODE_IMAGE=old\n');
    await pin(`mirror/other@${digest('9')}`, `node@${digest('a')}`, `postgres@${digest('b')}`, `debian@${digest('8')}`);
    await pin(`node@${digest('c')}`, `somewhere/library/postgres@${digest('d')}`, `debian@${digest('f')}`);
    expect(readFileSync(env, 'utf8').split('\n')).toEqual([
      'PUBLIC_URL=https://shop.example',
      `NODE_IMAGE=node:22-bookworm-slim@${digest('c')}`,
      `POSTGRES_IMAGE=postgres:17-bookworm@${digest('d')}`,
      `DEBIAN_IMAGE=debian:trixie-slim@${digest('f')}`,
      '',
    ]);
    expect(statSync(env).mode & 0o777).toBe(0o600);
  });

  it('changes nothing if an image has no digest', async () => {
    const envBefore = readFileSync(env, 'utf8');
    await expect(pin(`node@${digest('e')}`, 'postgres@sha256:short')).rejects.toThrow(/no digest of postgres/);
    expect(readFileSync(env, 'utf8')).toBe(envBefore);
    expect(existsSync(`${env}.new`)).toBe(false);
  });
});
