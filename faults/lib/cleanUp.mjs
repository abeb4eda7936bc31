const callbacks = [];

/** Registers cleanup that runs in reverse order when a scenario ends, even by an error or a signal. */
export const onCleanUp = (work) => void callbacks.push(work);

export async function cleanUp() {
  while (callbacks.length > 0) {
    try {
      await callbacks.pop()();
    } catch (error) {
      process.stderr.write(`${error.message}\n`);
    }
  }
}

export function cleanUpOnSignal() {
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => cleanUp().then(() => process.exit(1)));
}
