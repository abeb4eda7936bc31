/** The accounts that a demo starts with, told on its login page and by the server when it is ready. */
export const DEMO_PASSWORD = 'forgeline-demo';
export const DEMO_ACCOUNTS = [
  { label: 'Admin', email: 'admin@forgeline.example', displayName: 'Ada Anvil', admin: true },
  { label: 'Customer', email: 'customer@forgeline.example', displayName: 'Carl Chisel', admin: false },
] as const;
