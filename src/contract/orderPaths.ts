/** The purchase form, filled in with a quantity. */
export const orderAgainPath = (toolId: string, quantity: number) => `/purchase/${toolId}?quantity=${quantity}`;

/** Pays the order, or shows its receipt. */
export const paymentPath = (orderId: string) => `/dashboard/payment/${orderId}`;
