/** Limits of the home page in bytes, after compression. */
const BUDGETS = [
  {
    label: 'JavaScript before the home page is interactive',
    maxBytes: 120_000,
    chunks: ['react', 'store', 'home', 'main'],
  },
  {
    label: 'JavaScript that the home page fetches when idle',
    maxBytes: 49_000,
    chunks: ['carousel', 'swiper', 'counter', 'toasts', 'prefetch', 'footer', 'home-sections'],
  },
];
const MAX_FONT_BYTES = 45_000;
/** The home page must not load the files of the packages that these chunks import. It shares `controls` with them. */
const DEFERRED_CHUNKS = ['firebase', 'payment'];
const SHARED_CHUNK = 'controls';

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/**
 * @param sizeOf returns the compressed size of a file in bytes
 * @returns one sentence for each broken budget, and for each file that is loaded too early
 */
export function findBudgetViolations({ groups, all }, sizeOf) {
  const filesOf = (chunks) => new Set(chunks.flatMap((chunk) => groups[chunk] ?? []));
  const isOf = (file, ...chunks) => chunks.some((chunk) => file.startsWith(`${chunk}.`));
  const deferred = DEFERRED_CHUNKS.flatMap((chunk) => groups[chunk].filter((file) => !isOf(file, chunk, SHARED_CHUNK)));
  const scripts = BUDGETS.map(({ label, maxBytes, chunks }) => ({ label, maxBytes, files: filesOf(chunks) }));
  const fonts = { label: 'Fonts', maxBytes: MAX_FONT_BYTES, files: all.filter((file) => file.endsWith('.woff2')) };
  const tooLarge = [...scripts, fonts].flatMap(({ label, maxBytes, files }) => {
    const sizes = [...files].map((file) => [sizeOf(file), file]).sort(([a], [b]) => b - a);
    const bytes = sum(sizes.map(([size]) => size));
    if (bytes <= maxBytes) return [];
    const lines = sizes.map(([size, file]) => `  ${size}  ${file}`);
    return [`${label}: ${bytes} bytes, but the limit is ${maxBytes}. Shorten one of these:`, ...lines].join('\n');
  });
  const tooEarly = scripts.flatMap(({ files }) => deferred.filter((file) => files.has(file)));
  return [...tooLarge, ...tooEarly.map((file) => `${file} is loaded before it is needed.`)];
}
