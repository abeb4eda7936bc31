import { tabStorage } from '../storage';

export const DRAFT = 'draft:';
const OWNER = 'drafts-of';

/** Drafts live in this tab's storage; they are for the eyes of who typed them. */
export function clearDrafts(): void {
  const kept = tabStorage();
  for (const key of Object.keys(kept)) if (key.startsWith(DRAFT) || key === OWNER) Reflect.deleteProperty(kept, key);
}

/** Who comes back after a session that ended by itself finds their drafts; anybody else does not. */
export function draftsAreOf(email: string): void {
  const owner = tabStorage()[OWNER];
  if (owner !== undefined && owner !== email) clearDrafts();
  tabStorage()[OWNER] = email;
}
