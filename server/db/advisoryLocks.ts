/** Arbitrary numbers, so that other programs on this database are unlikely to use the same ones. */
export const LOCK = {
  migration: 7_302_604_417,
  identityKeys: 7_302_604_418,
  demo: 7_302_604_419,
  sweep: 7_302_604_420,
} as const;
