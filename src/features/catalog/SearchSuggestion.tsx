import { useMemo } from 'react';
import type { Tool } from '../../contract/entities';
import { Button } from '../../ui/Button';
import { suggestSearch } from './suggestSearch';

type Props = { tools: Tool[]; searched: string; onPick: (suggestion: string) => void };

export default function SearchSuggestion({ tools, searched, onPick }: Props) {
  const suggestion = useMemo(() => suggestSearch(tools, searched), [tools, searched]);
  if (suggestion === undefined) return null;
  return <Button onClick={() => onPick(suggestion)}>Did you mean “{suggestion}”?</Button>;
}
