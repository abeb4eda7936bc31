import { useMemo } from 'react';
import { useListMyOrdersQuery } from '../../api/apiSlice';
import type { Order } from '../../contract/entities';
import { useSession } from '../../session/hooks';

export type BoughtTool = { toolId: string; toolName: string };

const NO_ORDERS: Order[] = [];

/** @returns the tools of the customer's paid orders, the last bought first */
export function useBoughtTools(): BoughtTool[] {
  const { email } = useSession();
  const { data: orders = NO_ORDERS } = useListMyOrdersQuery(email, { skip: email === '' });
  return useMemo(() => {
    const names = new Map<string, string>();
    for (const { paid, toolId, productName } of orders) if (paid && !names.has(toolId)) names.set(toolId, productName);
    return [...names].map(([toolId, toolName]) => ({ toolId, toolName }));
  }, [orders]);
}
