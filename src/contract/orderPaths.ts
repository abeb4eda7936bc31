/** The page of the tool, with this quantity filled in. */
export const orderAgainPath = (toolId: string, quantity: number) => `/purchase/${toolId}?quantity=${quantity}`;

/** The page on which the order is paid. Later it shows the receipt. */
export const paymentPath = (orderId: string) => `/dashboard/payment/${orderId}`;
