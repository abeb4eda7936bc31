import type { Config } from 'drizzle-kit';

export default {
  dialect: 'postgresql',
  schema: './server/db/schema/index.ts',
  out: './server/db/migrations',
} satisfies Config;
