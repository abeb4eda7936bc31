import type { Brand } from './cardRules';

const SVG = 'http://www.w3.org/2000/svg';

function draw(name: string, attributes: Record<string, string>, ...children: (Element | string)[]): SVGElement {
  const element = document.createElementNS(SVG, name);
  Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
  element.append(...children);
  return element;
}

const LABEL = { x: '13', y: '12', fill: '#ffffff', 'font-size': '8', 'font-family': 'Arial, sans-serif' };
const OUTLINE = { x: '0.75', y: '0.75', width: '24.5', height: '16.5', rx: '2.5', fill: 'none' };

/** Stands in for the brand's logo, which is a trademark. */
export function drawBrandIcon(brand: Brand): SVGElement {
  const shapes = {
    visa: [
      draw('rect', { width: '26', height: '18', rx: '3', fill: '#1a3c8f' }),
      draw('text', { ...LABEL, 'font-weight': '700', 'text-anchor': 'middle' }, 'VISA'),
    ],
    unknown: [
      draw('rect', { ...OUTLINE, stroke: 'currentColor', 'stroke-width': '1.5' }),
      draw('rect', { x: '4', y: '4', width: '18', height: '2', fill: 'currentColor' }),
      draw('rect', { x: '4', y: '11', width: '7', height: '2', fill: 'currentColor' }),
    ],
  };
  const attributes = { viewBox: '0 0 26 18', role: 'img', 'aria-label': brand === 'unknown' ? 'Card' : brand };
  return draw('svg', attributes, ...shapes[brand]);
}
