const PREFIX = 'payment:';

/** Which payment was last begun for an order on this browser: its id, never its secret. */
export const pending = {
  remember: (order: string, transactionId: string) => keep(() => localStorage.setItem(PREFIX + order, transactionId)),
  recall: (order: string) => keep(() => localStorage.getItem(PREFIX + order)) ?? null,
  forget: (order: string) => keep(() => localStorage.removeItem(PREFIX + order)),
};

/** Storage may be closed to us: the server finds the payment all the same. */
function keep<T>(access: () => T): T | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}
