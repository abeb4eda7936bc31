/**
 * Our own sentences that any page may show. They are in the first script. `pageMessages` contains those of single
 * pages.
 */
export const APP_MESSAGES = {
  sessionEnded: 'Your session ended. Please log in again.',
  offline: 'You seem to be offline. Check your connection and try again.',
  unexpected: 'Something went wrong. Please try again.',
  slow: 'The shop is taking too long to respond. Please try again.',
  unexpectedResponse:
    'We got an unexpected response. Your network may be blocking the shop. Check your connection and try again.',
} as const;

export const IDENTITY_UNREACHABLE = "We can't reach the login service. Check your connection and try again.";

export const chunkFailed = (id: string) => `Loading chunk ${id} failed.`;
export const CHUNK_ADVICE = {
  offline: "You're offline. This page needs a connection to load.",
  online: 'Check your connection and try again.',
} as const;
