import { createGlobalStyle } from 'styled-components';
import { fontFace } from './fontFace';
import { color, dark, font, light, media, shortTransition } from './theme';

const properties = (palette: object, scheme: string) =>
  Object.entries(palette).reduce((text, [name, value]) => `${text} --${name}: ${value};`, `color-scheme: ${scheme};`);

export const GlobalStyle = createGlobalStyle`
  ${fontFace}

  :root { ${properties(light, 'light')} }
  @media (prefers-color-scheme: dark) { :root { ${properties(dark, 'dark')} } }
  :root[data-theme='light'] { ${properties(light, 'light')} }
  :root[data-theme='dark'] { ${properties(dark, 'dark')} }

  *, *::before, *::after { box-sizing: border-box; }
  html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: 88px; }
  body {
    margin: 0;
    background: ${color.paper};
    color: ${color.ink};
    font-family: ${font.text};
    font-variant-numeric: tabular-nums;
    line-height: 1.5;
    overflow-wrap: break-word;
  }
  h1, h2, h3, h4, p, ul, ol, dl, dd, figure, blockquote { margin: 0; padding: 0; }
  ul, ol { list-style: none; }
  h1, h2, h3, h4 { font-family: ${font.display}; font-weight: 600; line-height: 1.1; text-wrap: balance; }
  p, dd, li { text-wrap: pretty; }
  img, svg { display: block; max-width: 100%; }
  strong, b, th { font-weight: 600; }
  button, input, textarea, select { font: inherit; color: inherit; }
  a { color: inherit; text-underline-offset: 0.18em; transition: color ${shortTransition}; }
  a:hover { color: ${color.ember}; }
  :focus-visible { outline: 3px solid ${color.focus}; outline-offset: 2px; border-radius: 2px; }
  main:focus { outline: none; }
  :root[data-loading] * { cursor: progress; }
  :root[data-loading]::before {
    content: '';
    position: fixed;
    inset: 0 0 auto;
    z-index: 30;
    height: 3px;
    background: ${color.ink};
  }
  noscript aside {
    padding: 12px 16px;
    background: ${color.night};
    color: ${color.nightInk};
    text-align: center;
    a { color: inherit; }
  }
  /* Without scripts, nothing is loaded and a spinner would turn forever. */
  @media (scripting: none) { main [role='status'] { display: none; } }
  [hidden] { display: none !important; }

  /* When printing, only the content is shown, dark on white. */
  @media print {
    :root:root { ${properties(light, 'light')} }
    body { background: none; }
    header, footer, nav, button, [href='#main'], [data-print='no'], .Toastify { display: none !important; }
  }

  ::view-transition-group(*), ::view-transition-old(*), ::view-transition-new(*) { animation-duration: 150ms; }

  @keyframes grow { from { transform: scaleX(0.04); } to { transform: scaleX(0.9); } }
  @keyframes reveal { to { visibility: visible; } }
  @keyframes turn { to { transform: rotate(1turn); } }
  @keyframes breathe { 50% { opacity: 0.55; } }

  ${media.reducedMotion} {
    *, *::before, *::after {
      animation-duration: 0.01ms !important;
      animation-iteration-count: 1 !important;
      transition-duration: 0.01ms !important;
      scroll-behavior: auto !important;
    }
  }
`;
