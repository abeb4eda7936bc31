import shopSetup from './shopSetup';
import teardown from './teardown';

const SHARED_VARIABLES = ['TEST_POSTGRES', 'SHOPS'];

/**
 * Runs one PostgreSQL and one shop for many Jest runs. Sends their settings to the parent process, and stops them when
 * that process sends a message or ends.
 */
async function main(): Promise<void> {
  await shopSetup();
  process.send!(Object.fromEntries(SHARED_VARIABLES.map((name) => [name, process.env[name]])));
  await new Promise((resolve) => process.once('message', resolve).once('disconnect', resolve));
  await teardown();
  process.exit(0);
}

void main();
