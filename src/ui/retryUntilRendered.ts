const TIMEOUT_MS = 5000;

/**
 * Repeats an attempt while the page changes, because the element that it needs may be in a chunk that is still loading.
 * @returns a function that stops it
 */
export function retryUntilRendered(attempt: () => boolean) {
  if (attempt()) return;
  const observer = new MutationObserver(() => attempt() && observer.disconnect());
  observer.observe(document.body, { childList: true, subtree: true });
  const timer = setTimeout(() => observer.disconnect(), TIMEOUT_MS);
  return () => {
    observer.disconnect();
    clearTimeout(timer);
  };
}
