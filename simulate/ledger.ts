/** What the shop has acknowledged to people. At the end, all of it must be true. */
export interface AcknowledgedOrder {
  id: string;
  owner: number;
  toolId: string;
  quantity: number;
  /** Null: the order was recorded without a price. */
  price: number | null;
}

export interface Edit {
  toolId: string;
  was: number;
  price: number;
}

export class Ledger {
  readonly orders = new Map<string, AcknowledgedOrder>();
  /** The orders that answered each idempotency key. */
  readonly ordersByKey = new Map<string, Set<string>>();
  /** Keys of orders that may have been placed: sent, with or without an answer. */
  readonly sentKeys = new Map<string, { owner: number; toolId: string; quantity: number }>();
  readonly paid = new Map<string, string>();
  readonly deleted = new Set<string>();
  readonly shipped = new Set<string>();
  readonly refunded = new Map<string, { restock: boolean }>();
  readonly offered = new Map<string, number>();
  readonly edits: Edit[] = [];
  /** Changes of the stock: sure if acknowledged, else possible. */
  readonly sureStock = new Map<string, number>();
  readonly possibleStock = new Map<string, number[]>();
  readonly problems: string[] = [];

  note(problem: string) {
    if (!this.problems.includes(problem)) this.problems.push(problem);
  }
}
