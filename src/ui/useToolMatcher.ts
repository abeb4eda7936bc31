import { useDeferredValue, useEffect, useMemo } from 'react';
import { searchTextOf, toolMatcher, type Searched } from '../contract/searchText';

const TOOLS_IN_SLICE = 50;

/** Normalizes the texts between other tasks, so that the first key press need not wait for 5,000 of them. */
function normalizeInSlices(tools: readonly Searched[]) {
  let next = 0;
  let timer = setTimeout(normalizeSlice);
  function normalizeSlice() {
    for (const tool of tools.slice(next, next + TOOLS_IN_SLICE)) searchTextOf(tool);
    next += TOOLS_IN_SLICE;
    if (next < tools.length) timer = setTimeout(normalizeSlice);
  }
  return () => clearTimeout(timer);
}

/** @returns `matches`, and the text that it searches for, which is deferred so that the typed text is shown first */
export function useToolMatcher(tools: readonly Searched[], typed: string) {
  const searched = useDeferredValue(typed);
  useEffect(() => normalizeInSlices(tools), [tools]);
  const matches = useMemo(() => toolMatcher(searched), [searched]);
  return { searched, matches };
}
