{
  // Loads the scripts after the page's largest picture, or at the first interaction. Clicks before that are replayed.
  const { scripts } = document.currentScript.dataset;
  const { dataset } = document.documentElement;
  const heldClicks = [];
  let started = false;

  function start() {
    if (started) return;
    started = true;
    for (const src of scripts.split(' ')) {
      document.head.append(Object.assign(document.createElement('script'), { src, async: false }));
    }
  }
  function holdClick(event) {
    const { target } = event;
    // Following a link to the current page would reload it and lose the path to return to after login.
    if (target.closest('a')?.href === location.href) event.preventDefault();
    const button = target.closest('button');
    if (!button || button.popoverTargetElement) return;
    dataset.loading = '';
    heldClicks.push({ button, event });
  }
  function replayClicks() {
    window.removeEventListener('click', holdClick, true);
    delete dataset.loading;
    for (const { button, event } of heldClicks) if (!event.defaultPrevented) button.click();
  }

  // Waits for the next frame. Otherwise a picture from the cache would be painted after the scripts.
  window.addEventListener('load', () => window.requestAnimationFrame(() => window.setTimeout(start)));
  for (const type of ['pointerdown', 'keydown', 'focusin']) window.addEventListener(type, start, { once: true });
  window.setTimeout(start, 5000);
  window.addEventListener('click', holdClick, true);
  window.addEventListener('hydrated', replayClicks, { once: true });
}
