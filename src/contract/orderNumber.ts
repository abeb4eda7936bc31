/** The order number that people read: the start of the id, short enough for the subject of an email. */
export const orderNumber = (orderId: string) => orderId.slice(0, 8).toUpperCase();
