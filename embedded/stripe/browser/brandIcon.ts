import type { Brand } from './cardRules';

type Shape = [name: string, attributes: Record<string, string>, text?: string];

const SVG = 'http://www.w3.org/2000/svg';
const plate = (fill: string): Shape => ['rect', { x: '0', y: '0', width: '26', height: '18', rx: '3', fill }];
const word = (text: string, fill = '#ffffff', size = '8'): Shape => [
  'text',
  {
    x: '13',
    y: '12',
    fill,
    'font-size': size,
    'font-family': 'Arial, sans-serif',
    'font-weight': '700',
    'text-anchor': 'middle',
  },
  text,
];
const disc = (cx: string, fill: string): Shape => ['circle', { cx, cy: '9', r: '5.5', fill, 'fill-opacity': '0.9' }];
const line = (y: string, width: string): Shape => ['rect', { x: '4', y, width, height: '2', fill: 'currentColor' }];

/** Drawn by hand and small: they name the brand, they are not its logo. */
const DRAWINGS: Record<Brand, Shape[]> = {
  visa: [plate('#1a3c8f'), word('VISA')],
  mastercard: [plate('#252525'), disc('10', '#eb3b2f'), disc('16', '#f5a623')],
  amex: [plate('#1f6fb5'), word('AMEX', '#ffffff', '7')],
  discover: [plate('#f4f4f2'), word('DISC', '#b4540a', '7')],
  diners: [plate('#e9eef5'), disc('13', '#2a5aa0')],
  jcb: [plate('#1c6b3a'), word('JCB')],
  unionpay: [plate('#0f5e75'), word('UP')],
  unknown: [
    [
      'rect',
      {
        x: '0.75',
        y: '0.75',
        width: '24.5',
        height: '16.5',
        rx: '2.5',
        fill: 'none',
        stroke: 'currentColor',
        'stroke-width': '1.5',
      },
    ],
    line('4', '18'),
    line('11', '7'),
  ],
};

function draw([name, attributes, text]: Shape): SVGElement {
  const element = document.createElementNS(SVG, name);
  Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
  if (text) element.textContent = text;
  return element;
}

export function drawBrand(brand: Brand): SVGElement {
  const attributes = { viewBox: '0 0 26 18', role: 'img', 'aria-label': brand === 'unknown' ? 'Card' : brand };
  const svg = draw(['svg', attributes]);
  svg.append(...DRAWINGS[brand].map(draw));
  return svg;
}
