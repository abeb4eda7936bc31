/** Our own sentences that any page may show. They are part of the first script: those of single pages are elsewhere. */
export const APP_MESSAGES = {
  sessionEnded: 'Your session ended. Please log in again.',
  offline: 'We cannot reach the shop. Check your connection and try again.',
  unexpected: 'Something went wrong. Please try again.',
  slow: 'The shop takes long to answer. Please try again.',
  notJson: 'Something between you and the shop answered in its place. Check your connection and try again.',
} as const;

export const IDENTITY_UNREACHABLE = 'We cannot reach the sign-in service. Check your connection and try again.';

export const chunkFailed = (id: string) => `Loading chunk ${id} failed.`;
