import { useListToolsQuery } from '../../api/apiSlice';
import type { Tool } from '../../contract/entities';
import { Notice } from '../../ui/Notice';
import { QueryView } from '../../ui/QueryView';
import { Cards } from './Cards';
import { ToolSkeletons } from './CardSkeletons';
import { Heading, Section } from './sectionStyle';
import { ToolCard } from './ToolCard';

const card = (tool: Tool) => <ToolCard key={tool._id} tool={tool} />;

const nothing = (
  <Notice title="No tools yet">
    <p>The works are being set up. Come back soon, or write to us below.</p>
  </Notice>
);

export function ToolList() {
  const query = useListToolsQuery();
  return (
    <Section as="section" id="tools" aria-labelledby="tools-heading">
      <Heading id="tools-heading">Tools</Heading>
      <QueryView query={query} loading={<ToolSkeletons />} empty={nothing}>
        {(tools) => <Cards rows={tools} card={card} />}
      </QueryView>
    </Section>
  );
}
