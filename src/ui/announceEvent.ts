/** The recorder (`src/recorder/`) listens to this event. */
export const RECORDED_EVENT = 'recorded-event';

/**
 * Reports an event that changes neither the store nor the URL to the recorder.
 * @param code must not contain personal data
 */
export const announceEvent = (type: string, code?: string): void =>
  void window.dispatchEvent(new CustomEvent(RECORDED_EVENT, { detail: { type, ...(code && { code }) } }));
