/** The number of an order that people read and say: short enough for the subject of an email, and it never changes. */
export const orderNumber = (orderId: string) => orderId.slice(0, 8).toUpperCase();
