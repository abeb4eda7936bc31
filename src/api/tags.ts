export const TAGS = ['Tool', 'Review', 'Order', 'User', 'Profile'] as const;
type TagType = (typeof TAGS)[number];
type Tag = { type: TagType; id?: string };

export const listTag = (type: TagType): Tag[] => [{ type, id: 'LIST' }];
export const rowTag = (type: TagType, id: string): Tag[] => [{ type, id }];
export const ALL_TOOLS: Tag[] = [{ type: 'Tool' }];
/** All data that shows this row. */
export const tagsOf = (type: TagType, id: string) => [...listTag(type), ...rowTag(type, id)];

/** After other refusals, the server's data is still what the page has loaded. */
const REFUSED_BECAUSE_CHANGED = [404, 409];

/**
 * @returns no tags if the server has refused the request. After a lost response or a server error, the request may have
 *   been carried out.
 */
export function unlessRefused(error: { status?: unknown } | undefined, tags: Tag[]): Tag[] {
  const status = Number(error?.status);
  return status >= 400 && status < 500 && !REFUSED_BECAUSE_CHANGED.includes(status) ? [] : tags;
}
