import { attachPostgres, startPostgres } from '../../../embedded/postgres';

const [how, dataDir = ''] = process.argv.slice(2);
const tell = (message: object) => process.send?.(message);

async function run() {
  const began = performance.now();
  const open = how === 'attach' ? attachPostgres : startPostgres;
  const database = await open(dataDir, (said) => tell({ said }));
  tell({ connection: database.connection, milliseconds: performance.now() - began });
  process.once('message', () => void database.stop().then(() => process.disconnect()));
}

process.on('SIGINT', () => undefined);
run().catch((error: Error) => process.send?.({ refused: error.message }, () => process.exit(1)));
