export type CreateRandom = (seed: unknown) => Random;

export interface Random {
  next(): number;
  integer(min: number, max: number): number;
  pick<T>(list: readonly T[]): T;
  chance(probability: number): boolean;
}
