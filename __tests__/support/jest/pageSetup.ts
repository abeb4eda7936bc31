import '@testing-library/jest-dom';
import '@testing-library/react';

/** Rule by rule, as in production: jsdom cannot read a rule with another in it, and loses only that one so. */
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
/** jsdom draws no dialogs: open and close is all that the pages ask of one. */
HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
  this.open = true;
};
HTMLDialogElement.prototype.close ??= function (this: HTMLDialogElement) {
  this.open = false;
  this.dispatchEvent(new Event('close'));
};
window.scrollTo = () => undefined;

/** How long the checks of Redux took is said of the machine, not of the shop. */
const { warn } = console;
Object.assign(console, {
  warn: (...said: unknown[]) => /^\w+Middleware took \d+ms/.test(String(said[0])) || warn(...said),
});

/** After the library's own: the shop answers when it does, and a test waits for what a person sees of it. */
beforeAll(() => void Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false }));
