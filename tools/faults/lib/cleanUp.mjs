const callbacks = [];

/** Registers cleanup that runs in reverse order at the end of a scenario, even if an error or a signal ends it. */
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
