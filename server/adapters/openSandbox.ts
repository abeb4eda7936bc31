import { join } from 'node:path';
import { openStripeSandbox, type StripeSandbox, type StripeSandboxOptions } from '../../embedded/stripe';
import type { Db } from '../db/database';
import { ownSecret } from '../db/generatedSecrets';
import { statusOfError } from '../http/problems';
import { projectRoot } from '../projectRoot';

type Sandbox = Pick<StripeSandboxOptions, 'publicUrl' | 'now' | 'deliver' | 'wantedEvents' | 'onError' | 'faults'>;

/** The embedded payment sandbox, with what it needs of the shop. */
export function openSandbox({ db, ...options }: Sandbox & { db: Db }): Promise<StripeSandbox> {
  return openStripeSandbox({
    ...options,
    db,
    scriptsFolder: join(projectRoot(), 'dist/sandbox'),
    readSecret: (name, fresh) => ownSecret(db, name, fresh),
    annotate: (request, facts) => void Object.assign(request, facts),
    statusOfError,
  });
}
