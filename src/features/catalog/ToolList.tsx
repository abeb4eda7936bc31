import { useListToolsQuery } from '../../api/apiSlice';
import type { Tool } from '../../contract/entities';
import { Notice } from '../../ui/Notice';
import { QueryView } from '../../ui/QueryView';
import { useGrowing } from '../../ui/useGrowing';
import { ToolSkeletons } from './CardSkeletons';
import { Grid } from './cardStyle';
import { Heading, Section } from './sectionStyle';
import { ToolCard } from './ToolCard';

function Tools({ tools }: { tools: Tool[] }) {
  const { shown, sentinel } = useGrowing(tools.length);
  return (
    <>
      <Grid>
        {tools.slice(0, shown).map((tool) => (
          <ToolCard key={tool._id} tool={tool} />
        ))}
      </Grid>
      {sentinel}
    </>
  );
}

const nothing = (
  <Notice title="No tools yet">
    <p>The works are being set up. Come back soon, or write to us below.</p>
  </Notice>
);

export function ToolList() {
  const tools = useListToolsQuery();
  return (
    <Section as="section" id="tools" aria-labelledby="tools-heading">
      <Heading id="tools-heading">Tools</Heading>
      <QueryView query={tools} loading={<ToolSkeletons />} empty={nothing}>
        {(list) => <Tools tools={list} />}
      </QueryView>
    </Section>
  );
}
