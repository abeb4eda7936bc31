import { attachPostgres, startPostgres } from '../../../embedded/postgres';

const [mode, dataDir = ''] = process.argv.slice(2);
const send = (message: object) => process.send?.(message);

async function main() {
  const open = mode === 'attach' ? attachPostgres : startPostgres;
  const database = await open(dataDir, (message) => send({ message }));
  send({ connection: database.connection });
  process.once('message', () => void database.stop().then(() => process.disconnect()));
}

process.on('SIGINT', () => undefined);
main().catch((error: Error) => process.send?.({ error: error.message }, () => process.exit(1)));
