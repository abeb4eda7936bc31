export const TAGS = ['Tool', 'Review', 'Order', 'User', 'Profile'] as const;
type TagType = (typeof TAGS)[number];
type Tag = { type: TagType; id: string };

export const listTag = (type: TagType): Tag[] => [{ type, id: 'LIST' }];
export const rowTag = (type: TagType, id: string): Tag[] => [{ type, id }];
/** Invalidates the tags only after a success. By itself, RTK Query would do so after a failure too. */
export const onSuccess =
  (tags: Tag[]) =>
  (_result: unknown, error: unknown): Tag[] =>
    error ? [] : tags;

/** The customer's own list, which can be long. A success of `deleteOrder` does not load it again. */
export const OWN_ORDERS: Tag = { type: 'Order', id: 'OWN_LIST' };
export const orderTags = (order: string) => [...listTag('Order'), OWN_ORDERS, ...rowTag('Order', order)];

/** A 409 means that the order has changed since the page loaded it. So the page must load it again. */
export const tagsAfterConflict = (error: { status: unknown } | undefined, order: string) =>
  error?.status === 409 ? orderTags(order) : [];
