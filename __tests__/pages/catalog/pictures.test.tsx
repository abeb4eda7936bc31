import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fireEvent, render, waitFor } from '@testing-library/react';
import { demoTools } from '../../../server/demo/tools';
import { slides } from '../../../src/features/catalog/slides';
import { factorySteps } from '../../../src/features/content/factorySteps';
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

test.each(factorySteps.map(({ name, picture }) => [name, picture]))(
  'the picture of the step %s exists in every width',
  (_, picture) => {
    const sources = listResponsiveSources(picture)!;
    const files = [...filesOf(sources.avif), ...filesOf(sources.webp)];
    expect(files.filter((file) => !existsSync(join(publicFolder, file)))).toEqual([]);
  },
);

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
