import { clearDemo } from '../demo/demo';
import { clearDemoAccounts } from '../demo/accounts';
import type { Env } from '../settings/readers';
import { print, withShop } from './runCommand';

/** Implements `npm run demo:clear`. It removes the demo data, so that the shop can sell its own tools. */
export const main = (_argv: string[], env: Env): Promise<number> =>
  withShop(async ({ db }) => {
    const { tools, reviews, kept } = await clearDemo(db);
    await clearDemoAccounts(db);
    print(`Removed ${tools} demo tools, ${reviews} demo reviews and the demo accounts.`);
    if (kept.length > 0) print(`Kept these tools without stock, because they have orders: ${kept.join(', ')}.`);
    return 0;
  }, env);
