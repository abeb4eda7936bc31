/** A tool has an address of its own: the home page, with the tool open. */
export const toolPath = (id: string) => `/home?tool=${encodeURIComponent(id)}`;

/** @returns the id of the open tool in the query string of the home page's URL, or null */
export const openToolIn = (queryString: string) => new URLSearchParams(queryString).get('tool') || null;
