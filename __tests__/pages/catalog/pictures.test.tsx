import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fireEvent, render, waitFor } from '@testing-library/react';
import { demoTools } from '../../../server/demo/tools';
import { slides } from '../../../src/features/catalog/slides';
import { drawingOf } from '../../../src/ui/drawingOf';
import { responsiveSources } from '../../../src/ui/Picture';
import { Picture } from '../../../src/ui/Picture';

const publicFolder = join(__dirname, '../../../public');
const filesOf = (srcSet: string) => srcSet.split(', ').map((one) => one.split(' ')[0]!);

test.each(demoTools.map(({ name, img }) => [name, img]))(
  '%s has its picture in every width, or its drawing',
  (_, img) => {
    const own = responsiveSources(img);
    const files = own ? [...filesOf(own.avif), ...filesOf(own.webp), img] : [img];
    expect(files.filter((file) => !existsSync(join(publicFolder, file)))).toEqual([]);
  },
);

const WIDE = [...slides.map(({ picture }) => picture), '/images/slides/closing.webp'];

test.each(WIDE)('%s comes in every width, and weighs less than 30 KB on a phone', (picture) => {
  const own = responsiveSources(picture)!;
  const files = [...filesOf(own.avif), ...filesOf(own.webp)];
  expect(files.filter((file) => !existsSync(join(publicFolder, file)))).toEqual([]);
  const [small, middle] = filesOf(own.avif).map((file) => statSync(join(publicFolder, file)).size);
  expect(Math.max(small!, middle!)).toBeLessThan(30_000);
});

test('what a card loads weighs less than 10 KB, all pictures together less than 6 MB', () => {
  const tools = join(publicFolder, 'images/tools');
  const heavy = readdirSync(tools).filter(
    (file) => /-(400|768)\.avif$/.test(file) && statSync(join(tools, file)).size > 10_000,
  );
  expect(heavy).toEqual([]);
  const all = readdirSync(join(publicFolder, 'images'), { recursive: true, encoding: 'utf8' });
  const bytes = all.reduce((sum, file) => sum + statSync(join(publicFolder, 'images', file)).size, 0);
  expect(bytes).toBeLessThan(6_000_000);
});

test('every tool of the demo has a drawing of its family to fall back on', () => {
  const drawings = demoTools.map(({ name }) => drawingOf(name));
  expect(drawings.filter((file) => !file || !existsSync(join(publicFolder, file)))).toEqual([]);
  expect(drawingOf('Crate of rags')).toBeUndefined();
});

test('a photograph of ours comes as AVIF, then WebP; one that does not load becomes its family’s drawing', async () => {
  const { container } = render(
    <Picture src="/images/tools/x.webp" toolName="Mini hacksaw" alt="" width={4} height={3} />,
  );
  const types = () => [...container.querySelectorAll('source')].map(({ type }) => type);
  expect(types()).toEqual(['image/avif', 'image/webp']);
  fireEvent.error(container.querySelector('img')!);
  await waitFor(() => expect(container.querySelector('img')).toHaveAttribute('src', '/images/tools/hacksaw.svg'));
  expect(types()).toEqual([]);
});

test.each([
  'https://example.com/images/tools/a.webp',
  '/images/tools/a/b.webp',
  '/images/tools/a.png',
  '/images/people/a.webp',
])('%s is used as it is', (src) => {
  const { container } = render(<Picture src={src} alt="" width={4} height={3} />);
  expect(container.querySelector('img')).toHaveAttribute('src', src);
  expect(container.querySelector('source')).toBeNull();
});
