/** Settings that a person's own environment could have are not those of a shop that is measured or broken. */
export function cleanEnvironment() {
  const { PATH, HOME, TMPDIR } = process.env;
  return { PATH, HOME, TMPDIR };
}
