import { useListToolsQuery } from '../../api/apiSlice';
import type { Tool } from '../../contract/entities';
import { Notice } from '../../ui/Notice';
import { QueryView } from '../../ui/QueryView';
import { Skeleton } from '../../ui/Skeleton';
import { Cards } from './Cards';
import { CardSkeletons } from './CardSkeletons';
import { Body } from './cardStyle';
import { Heading, Section } from './sectionStyle';
import { ToolCard } from './ToolCard';

const renderCard = (tool: Tool) => <ToolCard key={tool._id} tool={tool} />;

const emptyNotice = (
  <Notice title="No tools yet">
    <p>We&apos;re still setting up the shop. Check back soon, or contact us below.</p>
  </Notice>
);

const skeletons = (
  <CardSkeletons label="Loading the tools" count={6}>
    <Skeleton $height="auto" $ratio="4 / 3" />
    <Body>
      <Skeleton $height="27px" $width="70%" />
      <Skeleton $height="25px" $width="40%" />
      <Skeleton $height="48px" />
      <Skeleton $height="37px" />
      <Skeleton $height="44px" />
    </Body>
  </CardSkeletons>
);

export function ToolList() {
  const query = useListToolsQuery();
  return (
    <Section as="section" id="tools" aria-labelledby="tools-heading">
      <Heading id="tools-heading">Tools</Heading>
      <QueryView query={query} loading={skeletons} empty={emptyNotice}>
        {(tools) => <Cards rows={tools} card={renderCard} />}
      </QueryView>
    </Section>
  );
}
