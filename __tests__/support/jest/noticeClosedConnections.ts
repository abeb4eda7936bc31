import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The imports of a test file can take so long that the shop closes an idle connection of the previous file. Node notices
 * that only after the imports, and until then would send the first request over this connection.
 */
beforeAll(() => sleep(0));
