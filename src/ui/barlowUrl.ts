/** The URL of the heading font, for its preload link and its `@font-face` rule. */
export { default as barlowUrl } from '@fontsource/barlow-condensed/files/barlow-condensed-latin-600-normal.woff2';
