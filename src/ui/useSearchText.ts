import { startTransition, useEffect, useState } from 'react';

/** The URL changes this long after the last key press, because Safari refuses more than 100 changes in 30 seconds. */
const URL_DELAY_MS = 400;

/**
 * The text of a search field whose search is kept in the URL. What is typed belongs to the field, and the URL follows.
 * @param stored the search text in the URL
 * @param isReady whether the URL may change
 */
export function useSearchText(stored: string, changeUrl: (typed: string) => void, isReady = true) {
  const [typed, setTyped] = useState<string | null>(null);
  /**
   * Clears the typed text and changes the URL in a single transition. Otherwise the field would briefly show the old
   * search.
   */
  const leaveToUrl = (change: (typed: string | null) => void) =>
    startTransition(() => {
      setTyped(null);
      change(typed);
    });
  const storeTyped = () => {
    if (typed !== null) leaveToUrl(() => changeUrl(typed));
  };
  useEffect(() => {
    if (typed === null || !isReady) return;
    const timer = setTimeout(storeTyped, URL_DELAY_MS);
    return () => clearTimeout(timer);
  });
  return { text: typed ?? stored, type: setTyped, storeTyped, leaveToUrl };
}
