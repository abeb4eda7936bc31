/** The URLs of the fonts (tools/fonts.mjs). Both their preload links and their `@font-face` rules need them. */
import barlow400 from './fonts/barlow-400.woff2';
import barlow600 from './fonts/barlow-600.woff2';
import condensed600 from './fonts/barlow-condensed-600.woff2';

export const fontUrls = [condensed600, barlow400, barlow600] as const;
