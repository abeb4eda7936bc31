import { memo } from 'react';
import { useLocation } from 'react-router-dom';
import { Head } from '../../ui/Head';
import { deferredComponent } from '../../ui/deferredComponent';
import { VisuallyHidden } from '../../ui/page';
import { readToolToOrder } from '../../ui/authPaths';
import { useBelowFoldReady } from '../../ui/useIncrementalList';
import { useHydrated } from '../../ui/useHydrated';
import { CarouselPlaceholder } from './sectionStyle';

const Carousel = deferredComponent(
  () => import(/* webpackChunkName: "carousel" */ './Carousel'),
  <CarouselPlaceholder />,
);
const ContinueOrder = deferredComponent(() => import(/* webpackChunkName: "continue-order" */ './ContinueOrder'));
/** Memoized, because rendering it again while its chunk is loading would hide the server's HTML. */
const HomeSections = memo(deferredComponent(() => import(/* webpackChunkName: "home-sections" */ './HomeSections')));

/**
 * `/` and `/home` show this page, and both name the same canonical path. It is not `/`, because SEO tools report an
 * error if a page at another path names `/`.
 */
const CANONICAL_PATH = '/home';

const DESCRIPTION =
  'Hand and power tools, made in one factory and sold by the crate. Price, stock and minimum order on every card.';

/** A component of its own, because rendering the page again would hide the server's HTML of chunks that are loading. */
function OrderToContinue() {
  const toolId = readToolToOrder(useLocation().state);
  const isHydrated = useHydrated();
  return isHydrated && toolId ? <ContinueOrder id={toolId} /> : null;
}

export default function HomePage() {
  const isBelowFoldReady = useBelowFoldReady();
  return (
    <>
      <Head title="Hand and power tools by the crate" description={DESCRIPTION} path={CANONICAL_PATH} />
      <VisuallyHidden as="h1">Forgeline: hand and power tools by the crate</VisuallyHidden>
      <OrderToContinue />
      <Carousel />
      {isBelowFoldReady && <HomeSections />}
    </>
  );
}
