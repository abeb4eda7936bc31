import type { Random } from './random';

/**
 * All choices of a run, as whole numbers that can be stored and replayed. 0 means the oldest waiting step, no fault or
 * the first of a list. A run is therefore shrunk by replacing choices with 0.
 */
export class Decisions {
  readonly made: number[] = [];
  private position = 0;

  constructor(
    private readonly random: Random | undefined,
    private readonly recorded: number[] = [],
  ) {}

  /** @returns a number from 0 to `below - 1` */
  draw(below: number): number {
    const value = this.random
      ? Math.floor(this.random.next() * below)
      : Math.min(this.recorded[this.position++] ?? 0, below - 1);
    this.made.push(value);
    return value;
  }

  /** The highest numbers mean yes, so that 0 means no. */
  happens(permille: number): boolean {
    return permille > 0 && this.draw(1000) >= 1000 - permille;
  }

  pick<T extends { weight: number }>(choices: T[]): T {
    let remaining = this.draw(choices.reduce((sum, { weight }) => sum + weight, 0));
    return choices.find(({ weight }) => (remaining -= weight) < 0) ?? choices[0]!;
  }
}
