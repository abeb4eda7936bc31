import { useGetProfileQuery, useListMyOrdersQuery } from '../../api/apiSlice';
import type { Profile } from '../../contract/entities';
import { useSession } from '../../session/hooks';

export interface KnownAddress {
  address: string;
  phone: string;
  /** Undefined until it is loaded. */
  profile: Profile | undefined;
}

/** @returns the address and phone number in the profile, or else those of the customer's last order */
export function useKnownAddress(): KnownAddress {
  const { email } = useSession();
  const { data: profile, isUninitialized, isLoading } = useGetProfileQuery(email, { skip: email === '' });
  const isComplete = Boolean(profile?.address && profile.phone);
  const needsOrders = !isUninitialized && !isLoading && !isComplete;
  const { data: orders } = useListMyOrdersQuery(email, { skip: !needsOrders });
  const last = orders?.[0];
  return {
    address: profile?.address || (last?.address ?? ''),
    phone: profile?.phone || (last?.phone ?? ''),
    profile,
  };
}
