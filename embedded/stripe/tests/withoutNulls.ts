/** Leaves out the fields that are null. The test of Stripe's published fields checks that they exist. */
export const withoutNulls = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_name, field: unknown) => field ?? undefined));
