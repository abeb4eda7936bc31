import { formatCount } from './formatCount';

/** What each total says. */
export const NO_EXTRA_CHARGES = 'Delivery is included. No tax is added.';

export const describeShipping = (days: number) => `Ships within ${formatCount(days, 'day')} of payment`;
