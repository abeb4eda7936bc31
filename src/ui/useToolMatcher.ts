import { useDeferredValue, useEffect, useMemo } from 'react';
import { searchTextOf, createToolMatcher, type SearchableTool } from '../contract/searchText';

const TOOLS_IN_SLICE = 50;

/**
 * Normalizes the texts of all tools in advance, in small tasks, so that the first key press does not have to wait for
 * 5,000 tools.
 */
function normalizeInSlices(tools: readonly SearchableTool[]) {
  let next = 0;
  let timer = setTimeout(normalizeSlice);
  function normalizeSlice() {
    for (const tool of tools.slice(next, next + TOOLS_IN_SLICE)) searchTextOf(tool);
    next += TOOLS_IN_SLICE;
    if (next < tools.length) timer = setTimeout(normalizeSlice);
  }
  return () => clearTimeout(timer);
}

/**
 * Defers the search text, so that a typed letter appears in the field before the tools are searched.
 * @returns a function that checks whether a tool matches, and the text that it searches for
 */
export function useToolMatcher(tools: readonly SearchableTool[], typed: string) {
  const searched = useDeferredValue(typed);
  useEffect(() => normalizeInSlices(tools), [tools]);
  const matches = useMemo(() => createToolMatcher(searched), [searched]);
  return { searched, matches };
}
