const FAILURES = 5;
const PAUSE_MS = 5000;

/** After several failures in a row, asks nothing for a while; then one call tries whether it is over. */
export class Breaker {
  private failures = 0;
  private openUntil = 0;

  constructor(
    private readonly isFailure: (error: unknown) => boolean,
    private readonly refusal: () => Error,
  ) {}

  async run<T>(call: () => Promise<T>): Promise<T> {
    const now = performance.now();
    if (now < this.openUntil) throw this.refusal();
    if (this.openUntil > 0) this.openUntil = now + PAUSE_MS;
    try {
      const result = await call();
      this.close();
      return result;
    } catch (error) {
      if (this.isFailure(error)) this.fail();
      else this.close();
      throw error;
    }
  }

  private close() {
    this.failures = 0;
    this.openUntil = 0;
  }

  private fail() {
    this.failures += 1;
    if (this.failures >= FAILURES) this.openUntil = performance.now() + PAUSE_MS;
  }
}
