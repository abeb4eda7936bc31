import { useCallback, useDeferredValue, useId, useMemo, useState } from 'react';
import { useListAllToolsQuery } from '../../../api/apiSlice';
import type { Tool } from '../../../contract/entities';
import { Field } from '../../../ui/Field';
import { Notice } from '../../../ui/Notice';
import { Stack } from '../../../ui/page';
import { QueryView } from '../../../ui/QueryView';
import { Skeleton } from '../../../ui/Skeleton';
import { Spinner } from '../../../ui/Spinner';
import { useIncrementalList } from '../../../ui/useIncrementalList';
import { Search } from '../usersStyle';
import { searchTextOf, wordsOf } from './toolChanges';
import { ToolRow, type Panel } from './ToolRow';
import { Group, GROUP_TOOLS, SectionTitle } from './toolRowStyle';

/** The tools whose forms are open. */
type Panels = Readonly<Record<string, Panel | undefined>>;

const skeletons = (
  <Stack $gap={2}>
    <Spinner label="Loading the tools" />
    {[1, 2, 3, 4].map((row) => (
      <Skeleton key={row} $height="96px" />
    ))}
  </Stack>
);

const countLine = (shown: number, all: number) =>
  shown === all ? `${all} ${all === 1 ? 'tool' : 'tools'}` : `${shown} of ${all} tools`;

/** Newest first. A tool with an open form stays in the list, so that a search does not discard what is typed there. */
function useFoundTools(tools: Tool[], typed: string, panels: Panels): Tool[] {
  const searched = useMemo(() => tools.map((tool) => ({ tool, text: searchTextOf(tool) })).reverse(), [tools]);
  const words = useDeferredValue(typed);
  return useMemo(() => {
    const wanted = wordsOf(words);
    const isFound = (text: string) => wanted.every((word) => text.includes(word));
    return searched.filter(({ tool, text }) => panels[tool._id] !== undefined || isFound(text)).map(({ tool }) => tool);
  }, [searched, words, panels]);
}

function ToolSearch({ tools }: { tools: Tool[] }) {
  const [typed, setTyped] = useState('');
  const [panels, setPanels] = useState<Panels>({});
  const setPanel = useCallback(
    (id: string, panel: Panel | undefined) => setPanels((previous) => ({ ...previous, [id]: panel })),
    [],
  );
  const found = useFoundTools(tools, typed, panels);
  const { groups, sentinel } = useIncrementalList(found.length, GROUP_TOOLS);
  return (
    <Stack>
      <Search>
        <Field
          label="Find a tool"
          type="search"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          hint={<span role="status">{countLine(found.length, tools.length)}</span>}
        />
      </Search>
      {found.length === 0 && <Notice title="No tool matches this search" />}
      <Stack $gap={2} role="list">
        {groups.map(({ from, to }) => (
          <Group key={from} role="presentation">
            {found.slice(from, to).map((tool) => (
              <ToolRow key={tool._id} tool={tool} panel={panels[tool._id]} onPanel={setPanel} />
            ))}
          </Group>
        ))}
        {sentinel}
      </Stack>
    </Stack>
  );
}

/** Every tool, on sale or not, to edit, restock and take off sale. */
export function AllTools() {
  const tools = useListAllToolsQuery(undefined, { refetchOnMountOrArgChange: true });
  const titleId = useId();
  return (
    <Stack as="section" aria-labelledby={titleId}>
      <SectionTitle id={titleId}>All tools</SectionTitle>
      <QueryView query={tools} loading={skeletons} empty={<Notice title="No tools yet" />}>
        {(rows) => <ToolSearch tools={rows} />}
      </QueryView>
    </Stack>
  );
}
