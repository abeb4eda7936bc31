import { useCallback, useMemo, useState } from 'react';
import { useListAllToolsQuery } from '../../../api/apiSlice';
import type { Tool } from '../../../contract/entities';
import { formatShownCount } from '../../../contract/formatCount';
import { CheckboxLabel } from '../../../ui/CheckboxLabel';
import { Notice } from '../../../ui/Notice';
import { Stack } from '../../../ui/page';
import { QueryView } from '../../../ui/QueryView';
import { RowsSkeleton } from '../../../ui/RowsSkeleton';
import { SearchField } from '../../../ui/SearchField';
import { useIncrementalList } from '../../../ui/useIncrementalList';
import { useToolMatcher } from '../../../ui/useToolMatcher';
import { ToolRow, type Panel } from './ToolRow';
import { ToolSheet } from './ToolSheet';
import { FIRST_TOOLS, ToolGroup, TOOLS_PER_GROUP, SectionTitle } from './toolRowStyle';

/** The open form of each tool, by the tool's id. */
type Panels = Readonly<Record<string, Panel | undefined>>;

const emptyNotice = (
  <Notice title="No tools yet">
    <p>Add your first tool above.</p>
  </Notice>
);

/** Less than two minimum orders. */
const isLow = ({ availableQuantity, minimumOrderQuantity }: Tool) => availableQuantity < 2 * minimumOrderQuantity;

/**
 * Lists the newest tools first. A tool with an open form stays in the list even if it does not match the search.
 * Otherwise the search would discard what was typed into the form.
 */
function useFoundTools(tools: Tool[], typed: string, isLowOnly: boolean, panels: Panels): Tool[] {
  const { matches } = useToolMatcher(tools, typed);
  return useMemo(() => {
    const isFound = (tool: Tool) => matches(tool) && (!isLowOnly || isLow(tool));
    return tools.filter((tool) => panels[tool._id] !== undefined || isFound(tool)).reverse();
  }, [tools, matches, isLowOnly, panels]);
}

function ToolSearch({ tools }: { tools: Tool[] }) {
  const [typed, setTyped] = useState('');
  const [isLowOnly, setLowOnly] = useState(false);
  const [panels, setPanels] = useState<Panels>({});
  const setPanel = useCallback(
    (id: string, panel: Panel | undefined) => setPanels((previous) => ({ ...previous, [id]: panel })),
    [],
  );
  const found = useFoundTools(tools, typed, isLowOnly, panels);
  const { groups, sentinel } = useIncrementalList(found.length, TOOLS_PER_GROUP, { first: FIRST_TOOLS });
  return (
    <Stack>
      <SearchField
        label="Find a tool"
        value={typed}
        onType={setTyped}
        result={formatShownCount(found.length, tools.length, 'tool')}
      />
      <CheckboxLabel>
        <input type="checkbox" checked={isLowOnly} onChange={(event) => setLowOnly(event.target.checked)} />
        Low stock: less than two minimum orders
      </CheckboxLabel>
      {found.length === 0 && (
        <Notice title="No tool matches this search">
          <p>Try fewer or different words.</p>
        </Notice>
      )}
      <Stack $gap={2} role="list">
        {groups.map(({ from, to }) => (
          <ToolGroup key={from} role="presentation">
            {found.slice(from, to).map((tool) => (
              <ToolRow key={tool._id} tool={tool} panel={panels[tool._id]} onPanel={setPanel} />
            ))}
          </ToolGroup>
        ))}
        {sentinel}
      </Stack>
    </Stack>
  );
}

export function AllTools() {
  const tools = useListAllToolsQuery(undefined, { refetchOnMountOrArgChange: true });
  return (
    <Stack as="section" aria-labelledby="all-tools">
      <SectionTitle id="all-tools" tabIndex={-1}>
        All tools
      </SectionTitle>
      <ToolSheet />
      <QueryView
        query={tools}
        loading={<RowsSkeleton label="Loading the tools" height="96px" rows={4} />}
        empty={emptyNotice}
      >
        {(rows) => <ToolSearch tools={rows} />}
      </QueryView>
    </Stack>
  );
}
