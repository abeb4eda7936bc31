import { useMemo, type ReactNode } from 'react';
import type { Tool } from '../../contract/entities';
import { createToolMatcher, putNameMatchesFirst } from '../../contract/searchText';
import { Button } from '../../ui/Button';
import { Cards } from './Cards';
import { suggestSearch } from './suggestSearch';

type Props = {
  tools: Tool[];
  searched: string;
  card: (tool: Tool) => ReactNode;
  onPick: (suggestion: string) => void;
};

/** Shows what a corrected search would find, and a button that searches for it. */
export default function SearchSuggestion({ tools, searched, card, onPick }: Props) {
  const suggestion = useMemo(() => suggestSearch(tools, searched), [tools, searched]);
  const found = useMemo(
    () => (suggestion ? putNameMatchesFirst(tools.filter(createToolMatcher(suggestion)), suggestion) : []),
    [tools, suggestion],
  );
  if (suggestion === undefined) return null;
  return (
    <>
      <Button onClick={() => onPick(suggestion)}>Did you mean “{suggestion}”?</Button>
      <Cards rows={found} card={card} list={suggestion} />
    </>
  );
}
