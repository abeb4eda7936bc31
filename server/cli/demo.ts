import { clearDemo } from '../demo/demo';
import { clearDemoAccounts } from '../demo/accounts';
import { connect } from './connect';

/** `npm run demo:clear`: makes room for a shop's own tools. */
export async function main(_argv: string[], env: Record<string, string | undefined>): Promise<number> {
  const { db, close } = await connect(env);
  try {
    const { tools, reviews, kept } = await clearDemo(db);
    await clearDemoAccounts(db);
    process.stdout.write(`${tools} demo tools, ${reviews} demo reviews and the demo accounts are gone.\n`);
    if (kept.length > 0)
      process.stdout.write(`Kept for their orders, with nothing left to sell: ${kept.join(', ')}.\n`);
    return 0;
  } finally {
    await close();
  }
}
