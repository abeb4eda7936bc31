{
  // Scripts come after the largest picture, or as soon as someone touches the page; a press that needs them is kept.
  const { parts } = document.currentScript.dataset;
  const { dataset } = document.documentElement;
  const pressed = [];
  let started = false;

  function start() {
    if (started) return;
    started = true;
    for (const src of parts.split(' ')) document.head.append(Object.assign(document.createElement('script'), { src, async: false }));
  }
  function keep(event) {
    const { target } = event;
    // The page that is already here need not come again, and would forget where one came from.
    if (target.closest('a')?.href === location.href) event.preventDefault();
    const button = target.closest('button');
    if (!button || button.popoverTargetElement) return;
    dataset.waking = '';
    pressed.push({ button, event });
  }
  function wake() {
    window.removeEventListener('click', keep, true);
    delete dataset.waking;
    for (const { button, event } of pressed) if (!event.defaultPrevented) button.click();
  }

  // A frame later, or a picture that came at once would be painted after the scripts.
  window.addEventListener('load', () => window.requestAnimationFrame(() => window.setTimeout(start)));
  for (const touch of ['pointerdown', 'keydown', 'focusin']) window.addEventListener(touch, start, { once: true });
  window.setTimeout(start, 5000);
  window.addEventListener('click', keep, true);
  window.addEventListener('hydrated', wake, { once: true });
}
