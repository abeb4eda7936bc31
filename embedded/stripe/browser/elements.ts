import { CardElement } from './cardElement';
import type { CardOptions } from './messages';

type ElementReference = string | { __elementType?: string } | null;

export class Elements {
  private card: CardElement | null = null;

  create(type: string, options: CardOptions = {}): CardElement {
    if (type !== 'card') throw new Error(`This sandbox has no ${type} element, only card.`);
    if (this.card) throw new Error('Can only create one Element of type card.');
    this.card = new CardElement(options, () => (this.card = null));
    return this.card;
  }

  /** Finds an element by its type, or by the React component for that type. */
  getElement(reference: ElementReference): CardElement | null {
    const type = typeof reference === 'string' ? reference : reference?.__elementType;
    return type === 'card' ? this.card : null;
  }

  update() {
    return this;
  }
}
