import { useMemo, type ReactNode } from 'react';
import styled from 'styled-components';
import type { Tool } from '../../contract/entities';
import { createToolMatcher, putNameMatchesFirst } from '../../contract/searchText';
import { Button } from '../../ui/Button';
import { media, size, space } from '../../ui/theme';
import { Cards } from './Cards';
import { suggestSearch } from './suggestSearch';

/** On phones, the cards reach the edges of the window, but text does not. */
const Line = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: ${space(2)} ${space(4)};
  margin-bottom: ${space(4)};
  ${media.phone} {
    padding-inline: ${space(4)};
  }
  h2 {
    font-size: ${size.lead};
    overflow-wrap: anywhere;
  }
`;

export type SearchSuggestionProps = {
  tools: Tool[];
  searched: string;
  title: string;
  card: (tool: Tool) => ReactNode;
  onPick: (suggestion: string) => void;
  /** Shown if there is no suggestion. */
  children: ReactNode;
};

/** Shows what a corrected search would find, and a button that searches for it. */
export default function SearchSuggestion({ tools, searched, title, card, onPick, children }: SearchSuggestionProps) {
  const suggestion = useMemo(() => suggestSearch(tools, searched), [tools, searched]);
  const found = useMemo(
    () => (suggestion ? putNameMatchesFirst(tools.filter(createToolMatcher(suggestion)), suggestion) : []),
    [tools, suggestion],
  );
  if (suggestion === undefined) return children;
  return (
    <>
      <Line>
        <h2>{title}</h2>
        <Button variant="quiet" onClick={() => onPick(suggestion)}>
          Did you mean “{suggestion}”?
        </Button>
      </Line>
      <Cards rows={found} card={card} list={suggestion} />
    </>
  );
}
