import { css } from 'styled-components';
import { barlowUrl } from './barlowUrl';

/**
 * Until the font is loaded, headings are in bold Arial. It is scaled to the width, ascent and descent of Barlow
 * Condensed, so that nothing moves when the font appears.
 */
export const fontFace = css`
  @font-face {
    font-family: 'Barlow Condensed';
    font-weight: 600;
    font-style: normal;
    font-display: swap;
    src: url('${barlowUrl}') format('woff2');
  }
  @font-face {
    font-family: 'Barlow Fallback';
    font-weight: 600;
    src:
      local('Arial Bold'), local('Arial-BoldMT'), local('Helvetica Neue Bold'), local('Roboto Bold'),
      local('Liberation Sans Bold');
    size-adjust: 73.2%;
    ascent-override: 136.6%;
    descent-override: 27.3%;
    line-gap-override: 0%;
  }
`;
