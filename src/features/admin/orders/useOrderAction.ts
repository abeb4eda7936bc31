import type { FieldValues } from 'react-hook-form';
import type { Order } from '../../../contract/entities';
import { failureOf, messageOf } from '../../../contract/problem';
import { toastTextOf } from '../../../contract/toastText';
import { useSubmitForm, type SubmitFormOptions } from '../../../forms/useSubmitForm';
import { ORDER_MESSAGES } from './orderMessages';
import type { OrderUpdates } from './useOrderUpdates';

/** What each action on the open order needs. */
export interface OrderActionProps {
  order: Order;
  updates: OrderUpdates;
  /** Whether the action's form gets the focus when it opens. */
  takesFocus: boolean;
  onConflict: (text: string) => void;
}

/** @returns advice if the order has changed since the page loaded it. Undefined for other failures. */
function conflictMessageOf(error: unknown): string | undefined {
  const { kind, status, problem } = failureOf(error);
  if (kind !== 'changed') return undefined;
  if (status === 404) return ORDER_MESSAGES.wasDeleted;
  if (problem?.code === 'out_of_stock') return ORDER_MESSAGES.stockMissing;
  return `${messageOf(error)} ${ORDER_MESSAGES.reloaded}`;
}

type OrderAction<T, R> = Pick<SubmitFormOptions<T>, 'defaults' | 'draft'> & {
  act: (fields: T) => Promise<R>;
  onDone: (result: R) => void;
  onConflict: (text: string) => void;
};

/** The form of an action on an order. A conflict is shown above all forms, and other failures below this form. */
export function useOrderAction<T extends FieldValues, R>({ act, onDone, onConflict, ...options }: OrderAction<T, R>) {
  return useSubmitForm<T>({
    ...options,
    async send(fields) {
      const result = await act(fields);
      return { leave: () => onDone(result) };
    },
    onFailure(error) {
      const conflict = conflictMessageOf(error);
      if (!conflict) return toastTextOf(error);
      onConflict(conflict);
      return '';
    },
  });
}
