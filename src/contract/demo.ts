/** The password of both demo accounts, unless other machines can reach the demo. */
export const DEMO_PASSWORD = 'forgeline-demo';
/** The login page shows these accounts, and the server prints them when it is ready. */
export const DEMO_ACCOUNTS = [
  { label: 'Admin', email: 'admin@forgeline.example', displayName: 'Ada Anvil', admin: true },
  { label: 'Customer', email: 'customer@forgeline.example', displayName: 'Carl Chisel', admin: false },
] as const;
