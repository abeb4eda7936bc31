import '@testing-library/jest-dom';
import '@testing-library/react';

/** Inserts styles rule by rule, as in production: jsdom cannot parse nested rules, and then loses only those. */
process.env['SC_DISABLE_SPEEDY'] = 'false';

class NeverSeen {
  observe() {}
  unobserve() {}
  disconnect() {}
  takeRecords() {
    return [];
  }
}
Object.assign(globalThis, { IntersectionObserver: NeverSeen, ResizeObserver: NeverSeen });
window.matchMedia ??= ((media: string) =>
  Object.assign(new EventTarget(), { matches: false, media, onchange: null })) as never;
/** jsdom has no dialogs: pages only open and close them. */
HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
  this.open = true;
};
HTMLDialogElement.prototype.close ??= function (this: HTMLDialogElement) {
  this.open = false;
  this.dispatchEvent(new Event('close'));
};
window.scrollTo = () => undefined;

/** Redux warns about slow checks: that depends on the machine, not on the shop. */
const { warn } = console;
Object.assign(console, {
  warn: (...said: unknown[]) => /^\w+Middleware took \d+ms/.test(String(said[0])) || warn(...said),
});

/** Runs after the library's own hook: tests wait for what a person sees, not for React. */
beforeAll(() => void Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false }));
