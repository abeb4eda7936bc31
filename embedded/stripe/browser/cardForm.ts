import type { StripeElementStyle } from '@stripe/stripe-js';
import { drawBrand } from './brandIcon';
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
import { keepFormatted } from './typing';

const field = (name: string) => document.querySelector<HTMLInputElement>(`[name="${name}"]`)!;

/** Style options become custom properties: the frame's policy allows no other style. */
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

/** The four fields, what they hold and what is wrong with it. */
export class CardForm {
  readonly form = document.querySelector('form')!;
  readonly number = field('cardnumber');
  readonly expiry = field('exp-date');
  readonly cvc = field('cvc');
  readonly postal = field('postal');
  private readonly icon = document.querySelector<HTMLElement>('#brand')!;
  /** Fields whose being unfinished is to be said. */
  private readonly left = new Set<HTMLInputElement>();
  private brand: Brand | null = null;
  private saidLast = '';

  constructor(private readonly onChange: (change: CardChange) => void) {
    keepFormatted(this.number, formatNumber);
    keepFormatted(this.expiry, formatExpiry);
    keepFormatted(this.cvc, (digits) => formatCvc(digits, digitsOf(this.number.value)));
    for (const input of this.inputs()) this.watch(input);
    this.number.addEventListener('focus', () => this.number.classList.remove('short'));
    this.number.addEventListener('blur', () => this.shorten());
    this.check();
  }

  apply({ style, hidePostalCode = false, hideIcon = false, disabled = false, value }: CardOptions) {
    if (style) applyStyle(style);
    this.postal.hidden = hidePostalCode;
    this.form.classList.toggle('postal', !hidePostalCode);
    this.icon.hidden = hideIcon;
    for (const input of this.inputs()) input.disabled = disabled;
    if (value?.postalCode !== undefined && this.postal.value === '') this.postal.value = value.postalCode;
    this.check();
  }

  clear() {
    for (const input of this.inputs()) input.value = '';
    this.left.clear();
    this.check();
  }

  /** Everything that is missing is said from now on; answers the first of it. */
  insist(): CardError | null {
    this.used().forEach((input) => this.left.add(input));
    return this.check().error ?? null;
  }

  card() {
    const [month = '', year = ''] = this.expiry.value.split(' / ');
    const number = digitsOf(this.number.value);
    return { number, exp_month: month, exp_year: year, cvc: digitsOf(this.cvc.value) };
  }

  inputs = () => [this.number, this.expiry, this.cvc, this.postal];
  used = () => this.inputs().filter((input) => !input.hidden);

  private watch(input: HTMLInputElement) {
    input.addEventListener('input', () => {
      this.left.delete(input);
      this.check();
      this.advance(input);
    });
    input.addEventListener('blur', () => {
      if (input.value !== '') this.left.add(input);
      this.check();
    });
  }

  /** Where there is little room, a good number shows its end alone while one is elsewhere. */
  private shorten() {
    this.number.classList.toggle('short', checkNumber(this.number.value) === null);
    requestAnimationFrame(() => (this.number.scrollLeft = this.number.scrollWidth));
  }

  /** On to the next field once this one can take no more. */
  private advance(input: HTMLInputElement) {
    const next = this.used()[this.used().indexOf(input) + 1];
    const full = this.problemOf(input) === null && input.selectionStart === input.value.length;
    const isLong = input === this.number && formatNumber(`${digitsOf(input.value)}0`) !== input.value;
    if (next && full && !isLong && input !== this.cvc && document.activeElement === input) next.focus();
  }

  private problemOf(input: HTMLInputElement): CardError | null {
    if (input === this.number) return checkNumber(input.value);
    if (input === this.expiry) return checkExpiry(input.value, new Date());
    return input === this.cvc ? checkCvc(input.value, this.number.value) : checkPostal(input.value);
  }

  private visibleProblem(input: HTMLInputElement): CardError | null {
    const error = this.problemOf(input);
    return error && isUnfinished(error) && !this.left.has(input) ? null : error;
  }

  private check(): CardChange {
    const used = this.used();
    for (const input of used) input.setAttribute('aria-invalid', String(this.visibleProblem(input) !== null));
    const brand = brandOf(digitsOf(this.number.value));
    if (brand !== this.brand) this.icon.replaceChildren(drawBrand(brand));
    this.brand = brand;
    const change: CardChange = {
      brand,
      complete: used.every((input) => this.problemOf(input) === null),
      empty: used.every((input) => input.value === ''),
      error: used.map((input) => this.visibleProblem(input)).find((error) => error !== null) ?? undefined,
      value: { postalCode: this.postal.value },
    };
    const said = JSON.stringify(change);
    if (said !== this.saidLast) this.onChange(change);
    this.saidLast = said;
    return change;
  }
}
