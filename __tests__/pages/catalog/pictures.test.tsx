import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fireEvent, render, waitFor } from '@testing-library/react';
import { demoTools } from '../../../server/demo/tools';
import { initialsPath } from '../../../src/contract/initials';
import { slides } from '../../../src/features/catalog/slides';
import { toolDrawingPath } from '../../../src/ui/toolDrawingPath';
import { listResponsiveSources } from '../../../src/ui/Picture';
import { Picture } from '../../../src/ui/Picture';

const publicFolder = join(__dirname, '../../../public');
const filesOf = (srcSet: string) => srcSet.split(', ').map((candidate) => candidate.split(' ')[0]!);

test.each(demoTools.map(({ name, img }) => [name, img]))(
  'the demo tool %s has a picture in every width, or a drawing',
  (_, img) => {
    const sources = listResponsiveSources(img);
    const files = sources ? [...filesOf(sources.avif), ...filesOf(sources.webp), img] : [img];
    expect(files.filter((file) => !existsSync(join(publicFolder, file)))).toEqual([]);
  },
);

test('a name without letters has the placeholder as its picture', () => {
  expect(initialsPath('Ann Lee')).toBe('/initials/AL.svg');
  expect(existsSync(join(publicFolder, initialsPath('!')))).toBe(true);
  expect(initialsPath('!')).toMatch(/\.svg$/);
});

const WIDE_PICTURES = [...slides.map(({ picture }) => picture), '/images/slides/closing.webp'];

test.each(WIDE_PICTURES)(
  'the wide picture %s exists in every width, and its two smallest AVIF files are smaller than 30 KB',
  (picture) => {
    const sources = listResponsiveSources(picture)!;
    const files = [...filesOf(sources.avif), ...filesOf(sources.webp)];
    expect(files.filter((file) => !existsSync(join(publicFolder, file)))).toEqual([]);
    const [small, middle] = filesOf(sources.avif).map((file) => statSync(join(publicFolder, file)).size);
    expect(Math.max(small!, middle!)).toBeLessThan(30_000);
  },
);

test('every AVIF file for a tool card is smaller than 10 KB, and all pictures together are smaller than 6 MB', () => {
  const tools = join(publicFolder, 'images/tools');
  const tooLarge = readdirSync(tools).filter(
    (file) => /-(400|768)\.avif$/.test(file) && statSync(join(tools, file)).size > 10_000,
  );
  expect(tooLarge).toEqual([]);
  const all = readdirSync(join(publicFolder, 'images'), { recursive: true, encoding: 'utf8' });
  const bytes = all.reduce((sum, file) => sum + statSync(join(publicFolder, 'images', file)).size, 0);
  expect(bytes).toBeLessThan(6_000_000);
});

test('every demo tool has a drawing of its kind of tool, as a fallback for its picture', () => {
  const drawings = demoTools.map(({ name }) => toolDrawingPath(name));
  expect(drawings.filter((file) => !file || !existsSync(join(publicFolder, file)))).toEqual([]);
  expect(toolDrawingPath('Crate of rags')).toBeUndefined();
});

// Clause C.15.4
test('a photo of the shop is offered as AVIF and WebP, and is replaced by a drawing if it does not load', async () => {
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
])("the picture link %s, which is not one of the shop's photos, is used unchanged", (src) => {
  const { container } = render(<Picture src={src} alt="" width={4} height={3} />);
  expect(container.querySelector('img')).toHaveAttribute('src', src);
  expect(container.querySelector('source')).toBeNull();
});
