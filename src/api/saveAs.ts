/** Makes Excel read the file as UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';
const URL_LIFETIME_MS = 60_000;

function saveFile(name: string, content: Blob): void {
  const href = URL.createObjectURL(content);
  Object.assign(document.createElement('a'), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), URL_LIFETIME_MS);
}

/**
 * Saves a CSV file that the server sends. A link could not load it, because it would not send the access token.
 * @returns a handler that keeps the file out of the store
 */
export const saveAs = (name: string) => async (response: Response) => {
  if (!response.ok) return response.json();
  saveFile(name, new Blob([BYTE_ORDER_MARK, await response.blob()], { type: 'text/csv' }));
  return null;
};
