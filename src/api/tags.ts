export const TAGS = ['Tool', 'Review', 'Order', 'User', 'Profile'] as const;
export type TagType = (typeof TAGS)[number];
type Tag = { type: TagType; id: string };

export const list = (type: TagType): Tag[] => [{ type, id: 'LIST' }];
export const one = (type: TagType, id: string): Tag[] => [{ type, id }];
/** A failure stales nothing. */
export const onSuccess =
  (tags: Tag[]) =>
  (_result: unknown, error: unknown): Tag[] =>
    error ? [] : tags;
