import { useListToolsQuery } from '../../api/apiSlice';
import { Notice } from '../../ui/Notice';
import { QueryView } from '../../ui/QueryView';
import { Skeleton } from '../../ui/Skeleton';
import { CardSkeletons } from './CardSkeletons';
import { Body } from './cardStyle';
import { Heading, Section, Shortcuts } from './sectionStyle';
import { ToolFinder } from './ToolFinder';

const emptyNotice = (
  <Notice title="No tools yet">
    <p>We&apos;re still setting up the shop. Check back soon, or contact us below.</p>
  </Notice>
);

const skeletons = (
  <CardSkeletons label="Loading the tools" count={6}>
    <Skeleton $height="auto" $ratio="8 / 5" />
    <Body>
      <Skeleton $height="22px" $width="70%" />
      <Skeleton $height="31px" $width="40%" />
      <Skeleton $height="63px" />
      <Skeleton $height="44px" />
    </Body>
  </CardSkeletons>
);

export function ToolList() {
  const query = useListToolsQuery();
  return (
    <Section as="section" id="tools" aria-labelledby="tools-heading">
      <Shortcuts>
        <Heading id="tools-heading">Tools</Heading>
        <nav aria-label="On this page">
          <a href="#reviews">Reviews</a>
          <a href="#contact">Contact us</a>
        </nav>
      </Shortcuts>
      <QueryView query={query} loading={skeletons} empty={emptyNotice}>
        {(tools) => <ToolFinder tools={tools} isFetching={query.isFetching} />}
      </QueryView>
    </Section>
  );
}
