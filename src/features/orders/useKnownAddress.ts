import { useMemo } from 'react';
import { useGetProfileQuery, useListMyOrdersQuery } from '../../api/apiSlice';
import type { Order, Profile } from '../../contract/entities';
import { useSession } from '../../session/hooks';

export type DeliveryDetails = Pick<Order, 'address' | 'phone'>;

export interface KnownAddress extends DeliveryDetails {
  /** Undefined until it is loaded. */
  profile: Profile | undefined;
  /** Different addresses that the customer can choose from: the one in the profile, then those of the last orders. */
  choices: DeliveryDetails[];
}

const MAX_ADDRESS_CHOICES = 4;

function listDistinctAddresses(profile: Profile | undefined, orders: readonly Order[]): DeliveryDetails[] {
  const known = new Map<string, DeliveryDetails>();
  for (const { address, phone } of profile ? [profile, ...orders] : orders) {
    if (known.size === MAX_ADDRESS_CHOICES) break;
    if (address && !known.has(address)) known.set(address, { address, phone });
  }
  return [...known.values()];
}

const NO_ORDERS: Order[] = [];

/** Finds the address and phone number to fill in: those in the profile, or else those of the customer's last order. */
export function useKnownAddress(): KnownAddress {
  const { email } = useSession();
  const { data: profile, isUninitialized, isLoading } = useGetProfileQuery(email, { skip: email === '' });
  const { data: orders = NO_ORDERS } = useListMyOrdersQuery(email, { skip: email === '' });
  const choices = useMemo(() => listDistinctAddresses(profile, orders), [profile, orders]);
  // Waits for the profile, so that its address does not replace that of an order after a moment.
  const newestOrder = isUninitialized || isLoading ? undefined : orders[0];
  return {
    address: profile?.address || (newestOrder?.address ?? ''),
    phone: profile?.phone || (newestOrder?.phone ?? ''),
    profile,
    choices,
  };
}
