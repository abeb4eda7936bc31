{
  // Loads the scripts after the page's largest picture, or at the first interaction. A click on a button and a choice in
  // a list are held until React has hydrated that part of the page, and then repeated.
  const { scripts } = document.currentScript.dataset;
  const { dataset } = document.documentElement;
  let started = false;
  let held = [];
  let chosen;

  function start() {
    if (started) return;
    started = true;
    for (const src of scripts.split(' ')) {
      document.head.append(Object.assign(document.createElement('script'), { src, async: false }));
    }
  }

  const isHydrated = (element) => Object.keys(element).some((key) => key.startsWith('__reactFiber'));
  function hold(event, element, repeat) {
    event.stopPropagation();
    dataset.loading = '';
    held.push({ element, repeat });
  }
  function holdClick(event) {
    const link = event.target.closest('a');
    // Following a link to the current page would reload it and lose the path to return to after login.
    if (link?.href === location.href && !isHydrated(link)) event.preventDefault();
    const button = event.target.closest('button');
    if (!button || button.popoverTargetElement || isHydrated(button)) return;
    hold(event, button, () => button.click());
  }
  function rememberChoice({ target }) {
    chosen = target.matches('select') ? target.value : undefined;
  }
  function holdChoice(event) {
    const select = event.target;
    if (!select.matches('select')) return;
    // The input event, which comes first, may have made React hydrate the list and undo the choice.
    select.value = chosen ?? select.value;
    chosen = undefined;
    if (isHydrated(select)) return;
    const { value } = select;
    hold(event, select, () => {
      select.value = value;
      for (const type of ['input', 'change']) select.dispatchEvent(new window.Event(type, { bubbles: true }));
    });
  }
  function repeatHeld() {
    const ready = held.filter(({ element }) => isHydrated(element) || !element.isConnected);
    held = held.filter((action) => !ready.includes(action));
    if (held.length === 0) delete dataset.loading;
    for (const { repeat } of ready) repeat();
  }

  // Waits for the next frame. Otherwise a picture from the cache would be painted after the scripts.
  window.addEventListener('load', () => window.requestAnimationFrame(() => window.setTimeout(start)));
  for (const type of ['pointerdown', 'keydown', 'focusin']) window.addEventListener(type, start, { once: true });
  window.setTimeout(start, 5000);
  window.addEventListener('click', holdClick, true);
  window.addEventListener('input', rememberChoice, true);
  window.addEventListener('change', holdChoice, true);
  window.addEventListener('hydrated', repeatHeld);
}
