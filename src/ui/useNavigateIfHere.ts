import { useEffect, useRef } from 'react';
import { useNavigate, type NavigateOptions, type To } from 'react-router-dom';

/** For what follows a late answer: whoever has left the page meanwhile is led nowhere. */
export function useNavigateIfHere() {
  const navigate = useNavigate();
  const here = useRef(false);
  useEffect(() => {
    here.current = true;
    return () => void (here.current = false);
  }, []);
  return (to: To, options?: NavigateOptions) => (here.current ? navigate(to, options) : undefined);
}
