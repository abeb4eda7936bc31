import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { writeDump } from '../db/dump';
import { connect } from './connect';

/** Beside the running server, or without it. The file is there only when it is whole. */
export async function main([file]: string[], env: Record<string, string | undefined>): Promise<number> {
  if (!file) {
    process.stderr.write('Usage: npm run backup -- FILE\n');
    return 2;
  }
  const part = `${file}.part`;
  const { db, close } = await connect(env);
  try {
    const gzip = createGzip();
    const out = gzip.pipe(createWriteStream(part, { mode: 0o600 }));
    const rows = await writeDump(db, async (line) => {
      if (!gzip.write(`${line}\n`)) await once(gzip, 'drain');
    });
    gzip.end();
    await finished(out);
    const handle = await open(part);
    await handle.sync();
    await handle.close();
    await rename(part, file);
    process.stdout.write(`${rows} rows are in ${file}.\n`);
    return 0;
  } finally {
    await rm(part, { force: true });
    await close();
  }
}
