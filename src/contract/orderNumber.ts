/**
 * The order number that people read. It is the start of the id, because the whole id is too long for an email's
 * subject.
 */
export const orderNumber = (orderId: string) => orderId.slice(0, 8).toUpperCase();
