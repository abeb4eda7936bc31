/** The recorder listens to it. */
export const RECORDED_EVENT = 'recorded-event';

/** Tells the recorder of something that reaches neither the store nor the address. The code must not be personal. */
export const announceEvent = (type: string, code?: string): void =>
  void window.dispatchEvent(new CustomEvent(RECORDED_EVENT, { detail: { type, ...(code && { code }) } }));
