/** What the home page may cost, in bytes as they travel. */
const BUDGETS = [
  { what: 'JavaScript before the home page is interactive', most: 120_000, parts: ['react', 'store', 'home', 'main'] },
  {
    what: 'JavaScript that the home page fetches when idle',
    most: 42_000,
    parts: ['carousel', 'swiper', 'counter', 'toasts', 'prefetch', 'footer', 'below-tools'],
  },
];
const FONT_BYTES = 25_000;
/** Vendors that no public page brings before someone needs them. */
const LATER = ['firebase', 'payment'];

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** A sentence for each budget that is broken. `sizeOf` answers a file's bytes, compressed. */
export function overBudget({ groups, all }, sizeOf) {
  const filesOf = (parts) => new Set(parts.flatMap((part) => groups[part] ?? []));
  const own = LATER.flatMap((part) => groups[part].filter((file) => !file.startsWith(`${part}.`)));
  const scripts = BUDGETS.map(({ what, most, parts }) => ({ what, most, files: filesOf(parts) }));
  const fonts = { what: 'Fonts', most: FONT_BYTES, files: all.filter((file) => file.endsWith('.woff2')) };
  const heavy = [...scripts, fonts]
    .map(({ what, most, files }) => ({ what, most, bytes: sum([...files].map(sizeOf)) }))
    .filter(({ most, bytes }) => bytes > most)
    .map(({ what, most, bytes }) => `${what}: ${bytes} bytes, and ${most} are the most.`);
  const early = scripts.flatMap(({ files }) => own.filter((file) => files.has(file)));
  return [...heavy, ...early.map((file) => `${file} is fetched before it is needed.`)];
}
