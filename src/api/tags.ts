import { failureOf } from '../contract/problem';

export const TAGS = ['Tool', 'Review', 'Order', 'User', 'Profile'] as const;
type TagType = (typeof TAGS)[number];
type Tag = { type: TagType; id?: string };

export const listTag = (type: TagType): Tag[] => [{ type, id: 'LIST' }];
export const rowTag = (type: TagType, id: string): Tag[] => [{ type, id }];
export const ALL_TOOLS: Tag[] = [{ type: 'Tool' }];
/** All data that shows this row. */
export const tagsOf = (type: TagType, id: string) => [...listTag(type), ...rowTag(type, id)];

/** After these failures, the server's data is what the page has loaded. */
const NOTHING_CHANGED = ['busy', 'signedOut', 'refused'];

/** @returns no tags if the server has refused the call, unless it did so because its data has changed */
export const unlessRefused = (error: unknown, tags: Tag[]): Tag[] =>
  error && NOTHING_CHANGED.includes(failureOf(error).kind) ? [] : tags;
