import { useEffect, useRef } from 'react';
import { useNavigate, type NavigateOptions, type To } from 'react-router-dom';

/** Navigates after a response, unless the customer has left the page in the meantime. */
export function useNavigateWhileMounted() {
  const navigate = useNavigate();
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => void (isMounted.current = false);
  }, []);
  return (to: To, options?: NavigateOptions) => (isMounted.current ? navigate(to, options) : undefined);
}
