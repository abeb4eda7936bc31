import { Head } from '../../ui/Head';
import { deferredComponent } from '../../ui/deferredComponent';
import { Hidden } from '../../ui/page';
import { useBelowFoldReady } from '../../ui/useIncrementalList';
import { CarouselPlace } from './sectionStyle';
import { ToolList } from './ToolList';

const Carousel = deferredComponent(() => import(/* webpackChunkName: "carousel" */ './Carousel'), <CarouselPlace />);
const BelowTools = deferredComponent(() => import(/* webpackChunkName: "below-tools" */ './BelowTools'));

/** Canonical for `/` too: pages that all name the root are a known mistake, which those who check report of `/home`. */
const HOME = '/home';

export default function HomePage() {
  const isWhole = useBelowFoldReady();
  return (
    <>
      <Head
        title="Hand and power tools by the crate"
        description="Hand and power tools from one works, sold by the crate: price, stock and minimum order on every card."
        path={HOME}
      />
      <Hidden as="h1">Forgeline: hand and power tools by the crate</Hidden>
      <Carousel />
      {isWhole && (
        <>
          <ToolList />
          <BelowTools />
        </>
      )}
    </>
  );
}
