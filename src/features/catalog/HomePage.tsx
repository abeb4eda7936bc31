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
/** Memoized, because a re-render would hide the server's HTML while the chunk loads. */
const BelowCarousel = memo(deferredComponent(() => import(/* webpackChunkName: "below-carousel" */ './BelowCarousel')));

/** `/` has this canonical path too. SEO audits report it as a mistake if several pages name the root as canonical. */
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
      {isBelowFoldReady && <BelowCarousel />}
    </>
  );
}
