const COLORS = [
  'paper',
  'surface',
  'ink',
  'muted',
  'line',
  'edge',
  'ember',
  'emberDeep',
  'onEmber',
  'focus',
  'amber',
  'amberSoft',
  'good',
  'bad',
  'plate',
  'photo',
  'photoLight',
  'wood',
  'woodLight',
  'woodEdge',
  'woodInk',
  'night',
  'nightInk',
  'nightMuted',
  'nightEmber',
  'shade',
] as const;

type Palette = Record<(typeof COLORS)[number], string>;

/**
 * The names of the colors, as CSS variables. Both palettes below define their values. Other files use these names and
 * no colors of their own, except for Google's logo. Each has one meaning: ember is the next action, amber waits, ink is
 * selected, bad has stopped.
 */
export const color = Object.fromEntries(COLORS.map((name) => [name, `var(--${name})`])) as Palette;

export const light: Palette = {
  paper: '#f6f4ef',
  surface: '#ffffff',
  ink: '#16181b',
  muted: '#565c63',
  line: '#dcd8cf',
  edge: '#857f74',
  ember: '#b83a0e',
  emberDeep: '#8f2c09',
  onEmber: '#ffffff',
  focus: '#16181b',
  amber: '#855400',
  amberSoft: '#fbefd3',
  good: '#1e6b3a',
  bad: '#b3261e',
  plate: '#f1ede5',
  photo: '#efebe3',
  photoLight: '#ffffff',
  wood: '#e0c79e',
  woodLight: '#efdcba',
  woodEdge: '#b8935f',
  woodInk: '#1f1810',
  night: '#16181b',
  nightInk: '#f6f4ef',
  nightMuted: '#b9b6af',
  nightEmber: '#ff8f63',
  shade: 'rgb(22 24 27 / 14%)',
};

export const dark: Palette = {
  paper: '#121417',
  surface: '#1b1e22',
  ink: '#f1ede4',
  muted: '#a9aeb5',
  line: '#343940',
  edge: '#747b83',
  ember: '#f2794a',
  emberDeep: '#ff9b73',
  onEmber: '#16181b',
  focus: '#f1ede4',
  amber: '#f0b64a',
  amberSoft: '#33290f',
  good: '#7ccf98',
  bad: '#ff8a7f',
  plate: '#cdc8be',
  photo: '#292d32',
  photoLight: '#4d5359',
  wood: '#54422c',
  woodLight: '#6d573c',
  woodEdge: '#35291a',
  woodInk: '#f3e6cd',
  night: '#1b1e22',
  nightInk: '#f1ede4',
  nightMuted: '#a9aeb5',
  nightEmber: '#ff8f63',
  shade: 'rgb(0 0 0 / 45%)',
};

const BREAKPOINTS = { tablet: 640, nav: 900, wide: 1024 } as const;

export const media = {
  phone: `@media (max-width: ${BREAKPOINTS.tablet - 0.02}px)`,
  tablet: `@media (min-width: ${BREAKPOINTS.tablet}px)`,
  narrowNav: `@media (max-width: ${BREAKPOINTS.nav - 0.02}px)`,
  nav: `@media (min-width: ${BREAKPOINTS.nav}px)`,
  wide: `@media (min-width: ${BREAKPOINTS.wide}px)`,
  reducedMotion: '@media (prefers-reduced-motion: reduce)',
  short: '@media (max-height: 639.98px)',
  low: '@media (max-height: 400px)',
  forcedColors: '@media (forced-colors: active)',
} as const;

/** `fontFace` scales the local fonts that stand in for a font until it has loaded. */
const family = (name: string) =>
  `'${name}', '${name} Arial', '${name} Roboto', '${name} DejaVu', system-ui, sans-serif`;

export const font = {
  display: family('Barlow Condensed'),
  text: family('Barlow'),
  mono: `ui-monospace, 'Cascadia Mono', Menlo, Consolas, monospace`,
} as const;

/** 14, 16, 20, 28, 44 and 72 px. A page has one text of the size `page` or `hero`. */
export const size = {
  small: '0.875rem',
  lead: '1.25rem',
  title: '1.75rem',
  page: '2.75rem',
  hero: '4.5rem',
} as const;

/** The unit of distances is 4 px. A few places use half a unit. */
export const space = (steps: number) => `${steps * 4}px`;

export const radius = '6px';
export const shadow = `0 1px 2px ${color.shade}, 0 6px 20px ${color.shade}`;
export const contentWidth = '1200px';
export const lineLength = '70ch';
export const touchTarget = '44px';
export const shortTransition = '150ms ease-out';
