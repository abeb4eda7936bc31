/** Numbers that no other program on this database is likely to have chosen; each is held for one thing. */
export const LOCK = {
  migration: 7_302_604_417,
  identityKeys: 7_302_604_418,
  demo: 7_302_604_419,
  sweep: 7_302_604_420,
} as const;
