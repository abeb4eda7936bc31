import shopSetup from './shopSetup';
import teardown from './teardown';

const SHARED = ['TEST_POSTGRES', 'SHOP_ORIGIN', 'SHOP_DATABASE_URL'];

/** One PostgreSQL and one shop for many runs of Jest. Sends their settings to its parent, and ends with it. */
async function main(): Promise<void> {
  await shopSetup();
  process.send!(Object.fromEntries(SHARED.map((name) => [name, process.env[name]])));
  await new Promise((resolve) => process.once('message', resolve).once('disconnect', resolve));
  await teardown();
  process.exit(0);
}

void main();
