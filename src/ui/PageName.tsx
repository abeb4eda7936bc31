import { useEffect, useRef } from 'react';
import { Hidden } from './page';

/** Read aloud when one comes to another page without a load, as a load would be. */
export function PageName() {
  const line = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    let known = document.title;
    const watch = new MutationObserver(() => {
      if (document.title !== known) line.current!.textContent = known = document.title;
    });
    watch.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => watch.disconnect();
  }, []);
  return <Hidden ref={line} aria-live="polite" />;
}
