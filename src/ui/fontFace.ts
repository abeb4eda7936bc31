import { css } from 'styled-components';
import { barlowUrl } from './barlowUrl';

/** The ascent and descent of Barlow Condensed at a font size of 1. */
const ASCENT = 1;
const DESCENT = 0.2;

/**
 * A font of the user's machine, scaled to the width, ascent and descent of Barlow Condensed.
 * @param scale Barlow Condensed's width divided by the local fonts' width, for all headings of the public pages
 */
const scaledFace = (family: string, localFonts: string[], scale: number) => css`
  @font-face {
    font-family: '${family}';
    font-weight: 600;
    src: ${localFonts.map((font) => `local('${font}')`).join(', ')};
    size-adjust: ${scale * 100}%;
    ascent-override: ${((ASCENT / scale) * 100).toFixed(1)}%;
    descent-override: ${((DESCENT / scale) * 100).toFixed(1)}%;
    line-gap-override: 0%;
  }
`;

/**
 * Until Barlow Condensed has loaded, headings are in bold Arial or a font with similar widths, or on Linux machines
 * without these in DejaVu Sans. All are scaled, so that nothing moves when Barlow Condensed appears.
 */
export const fontFace = css`
  @font-face {
    font-family: 'Barlow Condensed';
    font-weight: 600;
    font-style: normal;
    font-display: swap;
    src: url('${barlowUrl}') format('woff2');
  }
  ${scaledFace(
    'Barlow Fallback',
    ['Arial Bold', 'Arial-BoldMT', 'Helvetica Neue Bold', 'Roboto Bold', 'Liberation Sans Bold'],
    0.732,
  )}
  ${scaledFace('Barlow Fallback DejaVu', ['DejaVu Sans Bold'], 0.619)}
`;
