import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import type { Db } from '../../../server/db/database';
import { findProjectRoot } from '../../../server/projectRoot';

/**
 * Migrates only up to `lastMigration`, to recreate an older schema. Uses a temporary copy of the migrations, because
 * their journal must be truncated.
 */
export async function migrateUpTo(db: Db, lastMigration: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'forgeline-migrations-'));
  try {
    cpSync(join(findProjectRoot(), 'server/db/migrations'), folder, { recursive: true });
    const file = join(folder, 'meta/_journal.json');
    const journal = JSON.parse(readFileSync(file, 'utf8')) as { entries: { idx: number }[] };
    journal.entries = journal.entries.filter(({ idx }) => idx <= lastMigration);
    writeFileSync(file, JSON.stringify(journal));
    await migrate(drizzle(db.$client), { migrationsFolder: folder });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
