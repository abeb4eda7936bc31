function attempt<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch {
    return otherwise;
  }
}

/** A storage of the browser that never throws. Where it is closed or full, values last as long as the page. */
function safeStorage(open: () => Storage) {
  const memory = new Map<string, string>();
  return {
    read: (key: string) => memory.get(key) ?? attempt(() => open().getItem(key), null),
    write(key: string, value: string) {
      memory.set(key, value);
      attempt(() => (open().setItem(key, value), memory.delete(key)), false);
    },
    remove(key: string) {
      memory.delete(key);
      attempt(() => open().removeItem(key), undefined);
    },
    keys: () => [...memory.keys(), ...attempt(() => Object.keys(open()), [])],
  };
}

export const browserStorage = safeStorage(() => localStorage);
export const tabStorage = safeStorage(() => sessionStorage);
