import { clearDemo } from '../demo/demo';
import { clearDemoAccounts } from '../demo/accounts';
import { connectToShopDatabase } from './connectToShopDatabase';

/** Implements `npm run demo:clear`. It removes the demo data, so that the shop can sell its own tools. */
export async function main(_argv: string[], env: Record<string, string | undefined>): Promise<number> {
  const { db, close } = await connectToShopDatabase(env);
  try {
    const { tools, reviews, kept } = await clearDemo(db);
    await clearDemoAccounts(db);
    process.stdout.write(`Removed ${tools} demo tools, ${reviews} demo reviews and the demo accounts.\n`);
    if (kept.length > 0)
      process.stdout.write(`Kept these tools without stock, because they have orders: ${kept.join(', ')}.\n`);
    return 0;
  } finally {
    await close();
  }
}
