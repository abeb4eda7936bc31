import { IDENTITY_UNREACHABLE } from '../contract/messages';
import { twice } from '../ui/later';
import { IdentityError, type Identity } from './identity';

export interface LazyIdentity {
  /** The provider, fetched when someone first needs it and not before; rejects when it cannot be had. */
  (): Promise<Identity>;
}

export function lazyIdentity(load: () => Promise<Identity>): LazyIdentity {
  let loading: Promise<Identity> | undefined;
  return () =>
    (loading ??= twice(load).catch(() => {
      loading = undefined;
      throw new IdentityError(IDENTITY_UNREACHABLE);
    }));
}
