/** An order that the shop has acknowledged to a customer. */
export interface AcknowledgedOrder {
  id: string;
  owner: number;
  toolId: string;
  quantity: number;
  /** `null` for an order that was recorded without a price. */
  price: number | null;
}

/** Of a tool, or of an offer. */
export interface PriceEdit {
  id: string;
  was: number | null;
  price: number;
}

export interface RequestedRefund {
  id: string;
  /** Undefined if all that was left was requested. */
  pieces: number | undefined;
  restock: number | boolean;
  /** False if the shop refused each call. */
  mayBeStored: boolean;
}

export class Ledger {
  readonly orders = new Map<string, AcknowledgedOrder>();
  /** The ids of the orders that responses returned for each idempotency key. */
  readonly ordersByKey = new Map<string, Set<string>>();
  /** The idempotency keys of all orders that were sent, whether or not a response arrived. */
  readonly sentKeys = new Map<string, { owner: number; toolId: string; quantity: number }>();
  /** The intent that paid each order, by order id. */
  readonly paid = new Map<string, string>();
  readonly deleted = new Set<string>();
  /** The orders that a customer has seen to be paid, refunded or deleted. */
  readonly seenClosed = new Set<string>();
  readonly shipped = new Set<string>();
  /** The orders of which an admin refunded all that was left. */
  readonly refunded = new Set<string>();
  /** The idempotency keys of all refunds that were requested. */
  readonly refunds = new Map<string, RequestedRefund>();
  /** The price that an admin offered, by order id. */
  readonly offered = new Map<string, number>();
  private readonly edits: PriceEdit[] = [];
  /** By tool: the sum of the stock changes that a response acknowledged, and each change without a response. */
  readonly acknowledgedStockChange = new Map<string, number>();
  readonly uncertainStockChanges = new Map<string, number[]>();
  readonly problems: string[] = [];

  /** Each price is unique, so only one change of the same price may succeed. */
  noteEdit(edit: PriceEdit) {
    if (this.edits.some(({ id, was, price }) => id === edit.id && was === edit.was && price !== edit.price))
      this.note(`Two admins changed the same price of ${edit.id} (${edit.was}), and neither was warned.`);
    this.edits.push(edit);
  }

  note(problem: string) {
    if (!this.problems.includes(problem)) this.problems.push(problem);
  }
}
