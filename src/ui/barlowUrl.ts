/** The URL of the heading font. Both its preload link and its `@font-face` rule need it. */
export { default as barlowUrl } from '@fontsource/barlow-condensed/files/barlow-condensed-latin-600-normal.woff2';
