import { formatWithCommas } from './formatWithCommas';

/** Formats "1 order" or "1,800 orders". */
export const formatCount = (count: number, noun: string) =>
  `${formatWithCommas(count)} ${noun}${count === 1 ? '' : 's'}`;

/** Formats "5,027 tools", or "12 of 5,027 tools" if not all of them are shown. */
export const formatShownCount = (shown: number, all: number, noun: string) =>
  `${shown === all ? '' : `${formatWithCommas(shown)} of `}${formatCount(all, noun)}`;
