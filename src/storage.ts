/** A storage of the browser, or what lasts as long as the page where that is closed to us. */
function orInMemory(open: () => Storage | null): () => Record<string, string> {
  const inMemory = {};
  return () => {
    try {
      return open() ?? inMemory;
    } catch {
      return inMemory;
    }
  };
}

export const storage = orInMemory(() => localStorage);
/** This tab's alone. */
export const tabStorage = orInMemory(() => sessionStorage);
