/** Limits that only admins meet. They are not in `limits.ts`, because the home page loads that. */

/** The largest spreadsheet of tools that can be imported at once. */
export const MAX_IMPORTED_ROWS = 5_000;
export const MAX_IMPORTED_BYTES = 5_000_000;

export const MAX_PICTURE_BYTES = { 384: 60_000, 768: 120_000, 1536: 250_000 } as const;
/** How many times as high as wide, or as wide as high, an uploaded picture may be. */
export const MAX_PICTURE_RATIO = 3;
