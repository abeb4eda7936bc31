import { join } from 'node:path';
import { openStripeSandbox, type StripeSandbox, type StripeSandboxOptions } from '../../embedded/stripe';
import type { Db } from '../db/database';
import { getOrCreateSecret } from '../db/generatedSecrets';
import { statusOfError } from '../http/problems';
import { findProjectRoot } from '../projectRoot';

type SandboxOptions = Pick<
  StripeSandboxOptions,
  'publicUrl' | 'now' | 'deliver' | 'wantedEvents' | 'onError' | 'faults'
>;

export function openSandbox({ db, ...options }: SandboxOptions & { db: Db }): Promise<StripeSandbox> {
  return openStripeSandbox({
    ...options,
    db,
    scriptsFolder: join(findProjectRoot(), 'dist/sandbox'),
    readSecret: (name, newValue) => getOrCreateSecret(db, name, newValue),
    annotate: (request, facts) => void Object.assign(request, facts),
    statusOfError,
  });
}
