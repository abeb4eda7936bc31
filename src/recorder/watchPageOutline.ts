import { encodeOutline, readOutline } from './pageOutline';
import type { Recorder } from './recorder';
import { requestIdle } from './requestIdle';

/** The outline is read only after the page has not changed for this long. Then it shows its final state. */
const STABLE_MS = 500;
/**
 * A page is not read if the last step was longer ago than this, because the page may then show that time has passed,
 * for example that a hold has ended. A replay cannot show that, because it stops the clock at each step.
 */
const MAX_STEP_AGE_MS = 10_000;
const LINK_OR_CONTROL = 'a[href], button, summary, input, select, textarea, [role=button]';
/** Outlines leave these elements out, so opening something in them changes no outline. */
const IGNORED = 'dialog, [data-unrecorded]';

/** webpack removes the script element of a chunk when the chunk has loaded or failed. Spinners have `data-loading`. */
const isLoading = (main: Element) =>
  document.querySelector('script[data-webpack]') !== null || main.querySelector('[data-loading]') !== null;
const countInputs = () =>
  ['pointerdown', 'keydown'].reduce((sum, type) => sum + (performance.eventCounts?.get(type) ?? 0), 0);

/**
 * What the customer has opened or entered on a page is in its components and not in the Redux state, so a replay does
 * not show it. Opening another page discards it.
 * @returns a function that tells whether the customer has opened or entered something on this page
 */
function watchInputs(main: Element) {
  let path = location.pathname;
  let isTouched = countInputs() > 0;
  const forgetOldPage = () => {
    if (path !== location.pathname) isTouched = false;
    path = location.pathname;
  };
  const markTouched = ({ target }: Event) => {
    forgetOldPage();
    if (!(target instanceof Element) || !main.contains(target)) return;
    const control = target.closest(LINK_OR_CONTROL);
    if (control && control.localName !== 'a' && !control.closest(IGNORED)) isTouched = true;
  };
  for (const type of ['click', 'input']) window.addEventListener(type, markTouched, { capture: true, passive: true });
  return () => {
    forgetOldPage();
    return isTouched;
  };
}

/**
 * Reads the page's outline when nothing has changed for a while and the browser is idle, so that actions are not
 * delayed. Reads only pages whose content depends on nothing but the Redux state and the URL.
 */
export function watchPageOutline(recorder: Recorder, hasDrafts: () => boolean) {
  const main = document.querySelector('main')!;
  const isTouched = watchInputs(main);
  let changedAt = performance.now();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const isStable = () => performance.now() - changedAt >= STABLE_MS && recorder.msSinceLastStep() >= STABLE_MS;

  function readPage() {
    recorder.recordAll();
    if (!isStable()) return readWhenStable();
    const hasUnrecordedContent =
      isTouched() ||
      isLoading(main) ||
      recorder.hasPending() ||
      recorder.msSinceLastStep() > MAX_STEP_AGE_MS ||
      Boolean((history.state as { usr?: unknown } | null)?.usr) ||
      !recorder.keepsQuery(location.pathname + location.search) ||
      (main.querySelector('form') !== null && hasDrafts());
    if (!hasUnrecordedContent) recorder.recordPage(encodeOutline(readOutline(main, recorder.mayDiffer)));
  }
  function readIfStable() {
    timer = undefined;
    if (isStable()) requestIdle(readPage);
    else readWhenStable();
  }
  const readWhenStable = () => void (timer ??= setTimeout(readIfStable, STABLE_MS));

  new MutationObserver(() => {
    changedAt = performance.now();
    readWhenStable();
  }).observe(main, { childList: true, characterData: true, subtree: true });
  return { readWhenStable, readPage };
}
