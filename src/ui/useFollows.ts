import { useDeferredValue } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';

/**
 * Whether this page was come to by a link, to its top: then what is below may be drawn a moment later. Who comes back,
 * or wants an anchor, has to find the whole.
 */
export function useFollows(): boolean {
  const { hash } = useLocation();
  return useNavigationType() !== 'POP' && !hash;
}

/** Whether the page is drawn to its end by now. After a link what one sees first comes first, the rest a moment later. */
export const useWhole = () => useDeferredValue(true, !useFollows());
