import { useEffect, useRef } from 'react';
import { useNavigate, type NavigateOptions, type To } from 'react-router-dom';

/**
 * Returns a `navigate` function to call after a request. It does nothing if the customer has left the page in the
 * meantime.
 */
export function useNavigateWhileMounted() {
  const navigate = useNavigate();
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => void (isMounted.current = false);
  }, []);
  return (to: To, options?: NavigateOptions) => (isMounted.current ? navigate(to, options) : undefined);
}
