/** @jest-environment jsdom */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { render, screen } from '@testing-library/react';
import { specificationsOf } from '../../../server/demo/specifications';
import { demoTools } from '../../../server/demo/tools';
import { ToolDrawing } from '../../../src/features/catalog/ToolDrawing';

const IMG = '/images/tools/hacksaw.webp';

/** Reads the width and the height from the header of a lossless WebP file. */
function proportionsOf(file: string): number {
  const bits = readFileSync(join(__dirname, '../../../public', file)).readUInt32LE(21);
  return ((bits & 0x3fff) + 1) / (((bits >> 14) & 0x3fff) + 1);
}

const drawn = demoTools.flatMap(({ name, img }) => {
  const [, length, height] = /Dimensions: (\d+) × (\d+) mm/.exec(specificationsOf(img).join('\n')) ?? [];
  return length && height ? [[name, img, Number(length), Number(height)] as const] : [];
});

test.each(drawn)('the drawing of %s has the proportions of its dimensions', (_name, img, length, height) => {
  const proportions = proportionsOf(img.replace('.webp', '-lines.webp'));
  expect(Math.abs(proportions / (length / height) - 1)).toBeLessThan(0.04);
});

test('a tool with a photo of the shop and with dimensions has a drawing', () => {
  render(<ToolDrawing img={IMG} description={'Text.\nDimensions: 1,200 × 170 mm'} />);
  expect(screen.getByRole('img')).toHaveAccessibleName('Drawing, 1,200 mm long and 170 mm high');
});

test.each([
  ['/picture/1', 'Text.\nDimensions: 409 × 170 mm'],
  [IMG, 'Text.\nLength: 409 mm'],
  [IMG, 'Text.\nDimensions: large'],
  [IMG, 'Dimensions: 409 × 170 mm'],
])('the tool with the picture %s and the description %j has no drawing', (img, description) => {
  const { container } = render(<ToolDrawing img={img} description={description} />);
  expect(container).toBeEmptyDOMElement();
});
