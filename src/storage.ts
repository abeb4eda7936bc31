function tryOrElse<T>(work: () => T, fallback: T): T {
  try {
    return work();
  } catch {
    return fallback;
  }
}

/** Browser storage that never throws. If it is full or blocked, values are kept in memory until the page is closed. */
function safeStorage(open: () => Storage) {
  const memory = new Map<string, string>();
  return {
    read: (key: string) => memory.get(key) ?? tryOrElse(() => open().getItem(key), null),
    write(key: string, value: string) {
      memory.set(key, value);
      tryOrElse(() => (open().setItem(key, value), memory.delete(key)), false);
    },
    remove(key: string) {
      memory.delete(key);
      tryOrElse(() => open().removeItem(key), undefined);
    },
    keys: () => [...memory.keys(), ...tryOrElse(() => Object.keys(open()), [])],
  };
}

export const browserStorage = safeStorage(() => localStorage);
