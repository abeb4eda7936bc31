/** Where the browser finds the font: what names it in the page and what styles with it read it here. */
export { default as barlow } from '@fontsource/barlow-condensed/files/barlow-condensed-latin-600-normal.woff2';
