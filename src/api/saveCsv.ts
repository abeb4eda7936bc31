/** Makes Excel read the file as UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';
const URL_LIFETIME_MS = 60_000;

function saveFile(name: string, content: Blob): void {
  const href = URL.createObjectURL(content);
  Object.assign(document.createElement('a'), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), URL_LIFETIME_MS);
}

/**
 * Saves a CSV file, under the name that the server gives it, and keeps it out of the store. A link could not load it,
 * because it would not send the access token.
 */
export async function saveCsv(response: Response): Promise<unknown> {
  if (!response.ok) return response.json();
  const [, name] = response.headers.get('content-disposition')!.split('"');
  saveFile(name!, new Blob([BYTE_ORDER_MARK, await response.blob()], { type: 'text/csv' }));
  return null;
}
