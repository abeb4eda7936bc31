export const DRAFT = 'draft:';
const OWNER = 'drafts-of';

/** Drafts live in this tab's sessionStorage; they are for the eyes of who typed them. */
export function clearDrafts(): void {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(DRAFT) || key === OWNER) sessionStorage.removeItem(key);
  }
}

/** Who comes back after a session that ended by itself finds their drafts; anybody else does not. */
export function draftsAreOf(email: string): void {
  const owner = sessionStorage.getItem(OWNER);
  if (owner !== null && owner !== email) clearDrafts();
  sessionStorage.setItem(OWNER, email);
}
