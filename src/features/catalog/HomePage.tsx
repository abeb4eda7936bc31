import { memo } from 'react';
import { Head } from '../../ui/Head';
import { deferredComponent } from '../../ui/deferredComponent';
import { VisuallyHidden } from '../../ui/page';
import { useBelowFoldReady } from '../../ui/useIncrementalList';
import { CarouselPlaceholder } from './sectionStyle';

const Carousel = deferredComponent(
  () => import(/* webpackChunkName: "carousel" */ './Carousel'),
  <CarouselPlaceholder />,
);
/** Memoized, because rendering it again while its chunk is loading would hide the server's HTML. */
const HomeSections = memo(deferredComponent(() => import(/* webpackChunkName: "home-sections" */ './HomeSections')));

/**
 * `/` and `/home` show this page, and both name the same canonical path. It is not `/`, because SEO tools report an
 * error if a page at another path names `/`.
 */
const CANONICAL_PATH = '/home';

const DESCRIPTION =
  'Hand and power tools, made in one factory and sold by the crate. Price, stock and minimum order on every card.';

export default function HomePage() {
  const isBelowFoldReady = useBelowFoldReady();
  return (
    <>
      <Head title="Hand and power tools by the crate" description={DESCRIPTION} path={CANONICAL_PATH} />
      <VisuallyHidden as="h1">Forgeline: hand and power tools by the crate</VisuallyHidden>
      <Carousel />
      {isBelowFoldReady && <HomeSections />}
    </>
  );
}
