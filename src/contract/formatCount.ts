import { formatWithCommas } from './formatWithCommas';

/** "1 order", "1,800 orders" */
export const formatCount = (count: number, noun: string) =>
  `${formatWithCommas(count)} ${noun}${count === 1 ? '' : 's'}`;

/** "5,027 tools", and "12 of 5,027 tools" if not all are shown */
export const formatShownCount = (shown: number, all: number, noun: string) =>
  `${shown === all ? '' : `${formatWithCommas(shown)} of `}${formatCount(all, noun)}`;
