import { CardElement } from './cardElement';
import type { CardOptions } from './messages';

type Wanted = string | { __elementType?: string } | null;

/** A group of elements; this sandbox has one kind, the card. */
export class Elements {
  private card: CardElement | null = null;

  create(type: string, options: CardOptions = {}): CardElement {
    if (type !== 'card') throw new Error(`This sandbox has no ${type} element, only card.`);
    if (this.card) throw new Error('Can only create one Element of type card.');
    this.card = new CardElement(options, () => (this.card = null));
    return this.card;
  }

  /** By name, or by the React component of that name. */
  getElement(wanted: Wanted): CardElement | null {
    const type = typeof wanted === 'string' ? wanted : wanted?.__elementType;
    return type === 'card' ? this.card : null;
  }

  update() {
    return this;
  }

  async fetchUpdates() {
    return {};
  }

  async submit() {
    return {};
  }
}
