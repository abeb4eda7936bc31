export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export const earlier = (a: Date, b: Date) => (a < b ? a : b);
export const later = (a: Date, b: Date) => (a > b ? a : b);
export const addMs = (from: Date, ms: number) => new Date(from.getTime() + ms);
