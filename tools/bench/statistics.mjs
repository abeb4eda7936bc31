export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

export const quantile = (sorted, fraction) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))];
export const formatCount = (n) => Math.round(n).toLocaleString('en-US');
export const formatRate = (n) => formatCount(n < 1000 ? n : Math.round(n / 100) * 100);
export const formatPercent = (fraction) => `${Math.round(fraction * 100)}%`;
