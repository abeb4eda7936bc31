import { accessToken } from '../api/tokens';
import type { Door } from './sessionTransitions';

/** The shop decides; this only tells whether asking with this token can succeed. */
function isExpired(token: string): boolean {
  try {
    const payload = atob(token.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/'));
    return !((JSON.parse(payload) as { exp: number }).exp * 1000 > Date.now());
  } catch {
    return true;
  }
}

/** A token that is too old ends no session: before signing out it is renewed. */
export async function renewIfExpired(door: Door): Promise<void> {
  const auth = door.auth();
  const token = accessToken.read();
  if (auth.status === 'signedIn' && token !== null && isExpired(token)) await door.prove(auth.email);
}
