/** @returns the environment without the developer's own settings, for benchmarks and fault tests */
export function createIsolatedEnvironment() {
  const { PATH, HOME, TMPDIR } = process.env;
  return { PATH, HOME, TMPDIR };
}
