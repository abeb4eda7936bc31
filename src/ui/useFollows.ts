import { useLocation, useNavigationType } from 'react-router-dom';

/**
 * Whether this page was come to by a link, to its top: then what is below may be drawn a moment later. Who comes back,
 * or wants an anchor, has to find the whole.
 */
export function useFollows(): boolean {
  const { hash } = useLocation();
  return useNavigationType() !== 'POP' && !hash;
}
