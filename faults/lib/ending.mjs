const open = [];

/** What a part has started ends with it, the last first, however the part ends. */
export const atEnd = (work) => void open.push(work);

export async function cleanUp() {
  while (open.length > 0) {
    try {
      await open.pop()();
    } catch (error) {
      process.stderr.write(`${error.message}\n`);
    }
  }
}

export function cleanUpOnSignal() {
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => cleanUp().then(() => process.exit(1)));
}
