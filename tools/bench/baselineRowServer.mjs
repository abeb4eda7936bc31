import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../../scripts/install.mjs';

/** A server that only stores one row per request durably. It shows the upper limit for orders on this machine. */
const { port, connection } = JSON.parse(process.argv[2]);
const require = createRequire(join(root, 'package.json'));
const { Pool } = require('pg');
const pool = new Pool({ ...connection, max: 10, options: '-c synchronous_commit=on' });
await pool.query('create table if not exists bench_rows (id uuid primary key, body jsonb not null)');

const INSERT = { name: 'insert-row', text: 'insert into bench_rows (id, body) values ($1, $2)' };
const app = require('fastify')();
app.post('/order', async ({ body }) => {
  const row = { ...body, _id: randomUUID() };
  await pool.query({ ...INSERT, values: [row._id, JSON.stringify(row)] });
  return row;
});
await app.listen({ port, host: '127.0.0.1' });
process.stdout.write('ready\n');
process.on('SIGTERM', () => process.exit(0));
