/** Keeps the developer's own settings out of benchmarks and fault tests. */
export function createCleanEnvironment() {
  const { PATH, HOME, TMPDIR } = process.env;
  return { PATH, HOME, TMPDIR };
}
