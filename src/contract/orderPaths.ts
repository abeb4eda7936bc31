/** The page of the tool, with this quantity filled in. */
export const orderAgainPath = (toolId: string, quantity: number) => `/purchase/${toolId}?quantity=${quantity}`;

/** The page where the order is paid, and afterwards its receipt. */
export const paymentPath = (orderId: string) => `/dashboard/payment/${orderId}`;
