import { css } from 'styled-components';
import { fontUrls } from './fontUrls';

/** The ascent and descent of both Barlow families at a font size of 1. */
const ASCENT = 1;
const DESCENT = 0.2;

const REGULAR = {
  Arial: ['Arial', 'ArialMT', 'Helvetica Neue', 'Liberation Sans'],
  Roboto: ['Roboto'],
  DejaVu: ['DejaVu Sans'],
};
const BOLD = {
  Arial: ['Arial Bold', 'Arial-BoldMT', 'Helvetica Neue Bold', 'Liberation Sans Bold'],
  Roboto: ['Roboto Bold'],
  DejaVu: ['DejaVu Sans Bold'],
};

const face = (family: string, weight: number, url: string, display: 'swap' | 'optional') => css`
  @font-face {
    font-family: '${family}';
    font-weight: ${weight};
    font-display: ${display};
    src: url('${url}') format('woff2');
  }
`;

/** A font of the user's machine, scaled to the width, ascent and descent of Barlow. */
const scaledFace = (family: string, weight: number, locals: string[], scale: number) => css`
  @font-face {
    font-family: '${family}';
    font-weight: ${weight};
    src: ${locals.map((local) => `local('${local}')`).join(', ')};
    size-adjust: ${scale * 100}%;
    ascent-override: ${((ASCENT / scale) * 100).toFixed(1)}%;
    descent-override: ${((DESCENT / scale) * 100).toFixed(1)}%;
    line-gap-override: 0%;
  }
`;

type Scales = Record<keyof typeof REGULAR, number>;

/** @param scales the font's width divided by the local fonts' width, for all texts of the public pages */
const fallbacks = (family: string, weight: 400 | 600, scales: Scales) =>
  Object.entries(weight === 400 ? REGULAR : BOLD).map(([name, locals]) =>
    scaledFace(`${family} ${name}`, weight, locals, scales[name as keyof Scales]),
  );

const [condensed600, barlow400, barlow600] = fontUrls;

/**
 * Until a font has loaded, text is in a local font of about the same size. Headings then change to their font, and
 * hardly move. Paragraphs would get more or fewer lines, so they change only at the next page load.
 */
export const fontFace = css`
  ${face('Barlow Condensed', 600, condensed600, 'swap')}
  ${face('Barlow', 400, barlow400, 'optional')}
  ${face('Barlow', 600, barlow600, 'optional')}
  ${fallbacks('Barlow Condensed', 600, { Arial: 0.7405, Roboto: 0.7815, DejaVu: 0.6213 })}
  ${fallbacks('Barlow', 400, { Arial: 0.9542, Roboto: 0.9618, DejaVu: 0.8397 })}
  ${fallbacks('Barlow', 600, { Arial: 0.9173, Roboto: 0.9748, DejaVu: 0.7848 })}
`;
