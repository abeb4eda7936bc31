import '@testing-library/jest-dom';
import '@testing-library/react';

/**
 * Inserts styles rule by rule, as in production. jsdom cannot parse nested rules
 * (https://github.com/jsdom/jsdom/issues/3885). This way it loses only those rules, and not the whole style sheet.
 */
process.env['SC_DISABLE_SPEEDY'] = 'false';

class InertObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
  takeRecords() {
    return [];
  }
}
Object.assign(globalThis, { IntersectionObserver: InertObserver, ResizeObserver: InertObserver });
window.matchMedia ??= ((media: string) =>
  Object.assign(new EventTarget(), { matches: false, media, onchange: null })) as never;
/** jsdom does not implement dialogs (https://github.com/jsdom/jsdom/issues/3294). Pages only open and close them. */
HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
  this.open = true;
};
HTMLDialogElement.prototype.close ??= function (this: HTMLDialogElement) {
  this.open = false;
  this.dispatchEvent(new Event('close'));
};
window.scrollTo = () => undefined;

/** Drops Redux's warnings about slow checks, because they only show that the test machine is slow. */
const { warn } = console;
Object.assign(console, {
  warn: (...args: unknown[]) => /^\w+Middleware took \d+ms/.test(String(args[0])) || warn(...args),
});

/** Turns `act` warnings off after Testing Library's own hook: tests wait for visible results, not for React. */
beforeAll(() => void Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false }));
