import type { StripeElementStyle } from '@stripe/stripe-js';
import { drawBrandIcon } from './brandIcon';
import {
  brandOf,
  checkCvc,
  checkExpiry,
  checkNumber,
  checkPostal,
  digitsOf,
  formatCvc,
  formatExpiry,
  formatNumber,
  isUnfinished,
  type Brand,
  type CardError,
} from './cardRules';
import type { CardChange, CardOptions } from './messages';
import { formatWhileTyping } from './formatWhileTyping';

const field = (name: string) => document.querySelector<HTMLInputElement>(`[name="${name}"]`)!;

/** Sets the style options as custom properties, because the frame's content security policy forbids inline styles. */
function applyStyle(style: StripeElementStyle) {
  const { base = {}, invalid = {} } = style;
  const values: Record<string, string | number | undefined> = {
    '--color': base.color,
    '--font': base.fontFamily,
    '--size': base.fontSize,
    '--weight': base.fontWeight,
    '--spacing': base.letterSpacing,
    '--icon': base.iconColor ?? base['::placeholder']?.color,
    '--placeholder': base['::placeholder']?.color,
    '--invalid': invalid.color,
  };
  const root = document.documentElement.style;
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) root.removeProperty(name);
    else root.setProperty(name, String(value));
  }
}

export class CardForm {
  readonly form = document.querySelector('form')!;
  readonly number = field('cardnumber');
  readonly expiry = field('exp-date');
  readonly cvc = field('cvc');
  readonly postal = field('postal');
  private readonly icon = document.querySelector<HTMLElement>('#brand')!;
  /**
   * The fields that the customer has left. Only these show an error while they are incomplete, so that none appears
   * while the customer is still typing.
   */
  private readonly visited = new Set<HTMLInputElement>();
  private brand: Brand | null = null;
  private lastChange = '';

  constructor(private readonly onChange: (change: CardChange) => void) {
    formatWhileTyping(this.number, formatNumber);
    formatWhileTyping(this.expiry, formatExpiry);
    formatWhileTyping(this.cvc, (digits) => formatCvc(digits, digitsOf(this.number.value)));
    for (const input of this.inputs()) this.watch(input);
    this.number.addEventListener('focus', () => this.number.classList.remove('short'));
    this.number.addEventListener('blur', () => this.shortenNumber());
    this.updateState();
  }

  applyOptions({ style, hidePostalCode = false, disabled = false }: CardOptions) {
    if (style) applyStyle(style);
    this.postal.hidden = hidePostalCode;
    this.form.classList.toggle('postal', !hidePostalCode);
    for (const input of this.inputs()) input.disabled = disabled;
    this.updateState();
  }

  /**
   * Shows the errors of all fields, even of those that the customer has not visited.
   * @returns the first error
   */
  validate(): CardError | null {
    this.visibleInputs().forEach((input) => this.visited.add(input));
    return this.updateState().error ?? null;
  }

  readCard() {
    const [month = '', year = ''] = this.expiry.value.split(' / ');
    const number = digitsOf(this.number.value);
    return { number, exp_month: month, exp_year: year, cvc: digitsOf(this.cvc.value) };
  }

  inputs = () => [this.number, this.expiry, this.cvc, this.postal];
  visibleInputs = () => this.inputs().filter((input) => !input.hidden);

  private watch(input: HTMLInputElement) {
    input.addEventListener('input', () => {
      this.visited.delete(input);
      this.updateState();
      this.advance(input);
    });
    input.addEventListener('blur', () => {
      if (input.value !== '') this.visited.add(input);
      this.updateState();
    });
  }

  /**
   * If the frame is too narrow for a valid card number, scrolls to its last digits while another field has the focus.
   */
  private shortenNumber() {
    this.number.classList.toggle('short', checkNumber(this.number.value) === null);
    requestAnimationFrame(() => (this.number.scrollLeft = this.number.scrollWidth));
  }

  /** Moves the focus to the next field once the current field is full. */
  private advance(input: HTMLInputElement) {
    const next = this.visibleInputs()[this.visibleInputs().indexOf(input) + 1];
    const isFull = this.errorOf(input) === null && input.selectionStart === input.value.length;
    if (next && isFull && !this.canGrow(input) && document.activeElement === input) next.focus();
  }

  /**
   * A full field may still accept digits: the numbers and security codes of unknown brands differ in length.
   * @returns whether the field accepts another digit
   */
  private canGrow(input: HTMLInputElement): boolean {
    const digits = `${digitsOf(input.value)}0`;
    if (input === this.number) return formatNumber(digits) !== input.value;
    return input === this.cvc && formatCvc(digits, digitsOf(this.number.value)) !== input.value;
  }

  private errorOf(input: HTMLInputElement): CardError | null {
    if (input === this.number) return checkNumber(input.value);
    if (input === this.expiry) return checkExpiry(input.value, new Date());
    return input === this.cvc ? checkCvc(input.value, this.number.value) : checkPostal(input.value);
  }

  private visibleErrorOf(input: HTMLInputElement): CardError | null {
    const error = this.errorOf(input);
    return error && isUnfinished(error) && !this.visited.has(input) ? null : error;
  }

  private updateState(): CardChange {
    const inputs = this.visibleInputs();
    for (const input of inputs) input.setAttribute('aria-invalid', String(this.visibleErrorOf(input) !== null));
    const brand = brandOf(digitsOf(this.number.value));
    if (brand !== this.brand) this.icon.replaceChildren(drawBrandIcon(brand));
    this.brand = brand;
    const change: CardChange = {
      brand,
      complete: inputs.every((input) => this.errorOf(input) === null),
      empty: inputs.every((input) => input.value === ''),
      error: inputs.map((input) => this.visibleErrorOf(input)).find((error) => error !== null) ?? undefined,
      value: { postalCode: this.postal.value },
    };
    const serialized = JSON.stringify(change);
    if (serialized !== this.lastChange) this.onChange(change);
    this.lastChange = serialized;
    return change;
  }
}
