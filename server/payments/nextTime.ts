import type { Deps } from '../deps';
import { PaymentProviderDown } from './provider';

/** One payment in trouble keeps no other of the round from being settled; a provider that is away ends the round. */
export const nextTime =
  ({ log }: Pick<Deps, 'log'>, intentId: string) =>
  (error: unknown): void => {
    if (error instanceof Error && error.cause instanceof PaymentProviderDown) throw error;
    log.warn({ err: error, intentId }, 'a payment could not be settled, and will be at the next sweep');
  };
