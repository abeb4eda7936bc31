/** The name of the growing picture in the view transition. */
export const TRANSITION_NAME = 'tool-picture';
const LONGEST_WAIT_MS = 100;

let reportShown: (() => void) | undefined;

/** Must be called when the large picture is shown. */
export const reportPictureShown = () => reportShown?.();

/**
 * Lets a card's picture become the large one while `open` shows the tool. A tool that is not shown soon appears without
 * it, because the browser shows nothing new until the transition begins.
 */
export function growPicture(picture: HTMLElement, open: () => void): void {
  if (!('startViewTransition' in document) || matchMedia('(prefers-reduced-motion: reduce)').matches) return open();
  picture.style.viewTransitionName = TRANSITION_NAME;
  const transition = document.startViewTransition(() => {
    picture.style.viewTransitionName = '';
    return new Promise<void>((resolve) => {
      reportShown = resolve;
      setTimeout(resolve, LONGEST_WAIT_MS);
      open();
    });
  });
  transition.ready.catch(() => undefined);
}
