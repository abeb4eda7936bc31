import type { Brand } from './cardRules';

type Shape = [name: string, attributes: Record<string, string>, text?: string];

const SVG = 'http://www.w3.org/2000/svg';
const background = (fill: string): Shape => ['rect', { x: '0', y: '0', width: '26', height: '18', rx: '3', fill }];
const label = (text: string, fill = '#ffffff', size = '8'): Shape => [
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

/** Stands in for the logos of the card brands, which are trademarks. */
const DRAWINGS: Record<Brand, Shape[]> = {
  visa: [background('#1a3c8f'), label('VISA')],
  mastercard: [background('#252525'), disc('10', '#eb3b2f'), disc('16', '#f5a623')],
  amex: [background('#1f6fb5'), label('AMEX', '#ffffff', '7')],
  discover: [background('#f4f4f2'), label('DISC', '#b4540a', '7')],
  diners: [background('#e9eef5'), disc('13', '#2a5aa0')],
  jcb: [background('#1c6b3a'), label('JCB')],
  unionpay: [background('#0f5e75'), label('UP')],
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

export function drawBrandIcon(brand: Brand): SVGElement {
  const attributes = { viewBox: '0 0 26 18', role: 'img', 'aria-label': brand === 'unknown' ? 'Card' : brand };
  const svg = draw(['svg', attributes]);
  svg.append(...DRAWINGS[brand].map(draw));
  return svg;
}
