export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

export const quantile = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
export const many = (n) => Math.round(n).toLocaleString('en-US');
export const perSecond = (n) => many(n < 1000 ? n : Math.round(n / 100) * 100);
export const percent = (part) => `${Math.round(part * 100)}%`;
