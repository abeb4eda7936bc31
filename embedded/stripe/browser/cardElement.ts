import type { PaymentMethodResult } from '@stripe/stripe-js';
import {
  openChannel,
  type BillingDetails,
  type CardChange,
  type CardOptions,
  type MessageFromCard,
  type MessageToCard,
} from './messages';

type Handler = (event: unknown) => void;

const FRAME_STYLE = {
  border: '0',
  display: 'block',
  width: '100%',
  height: '44px',
  background: 'transparent',
  colorScheme: 'light',
};
const NOT_MOUNTED: PaymentMethodResult = {
  error: {
    type: 'validation_error',
    code: 'element_not_mounted',
    message: 'The card form is no longer on the page.',
  },
};

/** The card field is in an iframe, so that the card number never reaches the page itself. */
export class CardElement {
  readonly _elementType = 'card';
  private readonly handlers = new Map<string, Set<Handler>>();
  private readonly pendingResolvers = new Map<number, (result: PaymentMethodResult) => void>();
  private container: HTMLElement | null = null;
  private frame: HTMLIFrameElement | null = null;
  private channel: ReturnType<typeof openChannel<MessageToCard, MessageFromCard>> | null = null;
  private lastRequestId = 0;

  constructor(
    private options: CardOptions,
    private readonly onDestroy: () => void,
  ) {}

  on(name: string, handler: Handler) {
    this.handlers.set(name, (this.handlers.get(name) ?? new Set()).add(handler));
    return this;
  }

  off(name: string, handler: Handler) {
    this.handlers.get(name)?.delete(handler);
    return this;
  }

  mount(container: HTMLElement) {
    this.unmount();
    const frame = Object.assign(document.createElement('iframe'), {
      src: '/v1/sandbox/card',
      title: 'Secure card payment input frame',
    });
    Object.assign(frame.style, FRAME_STYLE);
    frame.addEventListener('load', () => this.connect(frame));
    this.container = container;
    this.frame = frame;
    container.replaceChildren(frame);
    this.labels().forEach((label) => label.addEventListener('click', this.focus));
  }

  unmount() {
    this.labels().forEach((label) => label.removeEventListener('click', this.focus));
    this.channel?.close();
    this.frame?.remove();
    this.pendingResolvers.forEach((resolve) => resolve(NOT_MOUNTED));
    this.pendingResolvers.clear();
    Object.assign(this, { container: null, frame: null, channel: null });
  }

  destroy() {
    this.unmount();
    this.handlers.clear();
    this.onDestroy();
  }

  update(options: CardOptions) {
    this.options = { ...this.options, ...options };
    this.sendOptions();
  }

  focus = () => this.channel?.send({ type: 'focus' });

  /** The frame creates the payment method itself and sends only the result to the page. */
  createPaymentMethod(key: string, billing: BillingDetails): Promise<PaymentMethodResult> {
    if (!this.channel) return Promise.resolve(NOT_MOUNTED);
    const id = (this.lastRequestId += 1);
    this.channel.send({ type: 'create', id, key, billing: JSON.parse(JSON.stringify(billing)) as BillingDetails });
    return new Promise((resolve) => this.pendingResolvers.set(id, resolve));
  }

  private connect(frame: HTMLIFrameElement) {
    if (frame !== this.frame) return;
    this.channel = openChannel<MessageToCard, MessageFromCard>(frame, (message) => this.receive(message));
    this.sendOptions();
  }

  private sendOptions() {
    const { style, hidePostalCode, disabled } = this.options;
    this.channel?.send({ type: 'options', options: { style, hidePostalCode, disabled } });
  }

  private receive(message: MessageFromCard) {
    if (message.type === 'event') this.emit(message.name);
    if (message.type === 'change') this.handleChange(message.change);
    if (message.type === 'submit') this.submit();
    if (message.type === 'created') {
      this.pendingResolvers.get(message.id)?.(message.result);
      this.pendingResolvers.delete(message.id);
    }
  }

  private handleChange(change: CardChange) {
    this.toggleClass('invalid', Boolean(change.error));
    this.emit('change', change);
  }

  private emit(name: string, detail: object = {}) {
    if (name === 'focus' || name === 'blur') this.toggleClass('focus', name === 'focus');
    const event = { elementType: 'card', ...detail };
    [...(this.handlers.get(name) ?? [])].forEach((handler) => handler(event));
  }

  private toggleClass(state: 'focus' | 'invalid', on: boolean) {
    this.container?.classList.toggle(`StripeElement--${state}`, on);
  }

  /** Pressing Enter in the card frame submits the page's form, as it does in the form's own fields. */
  private submit() {
    const form = this.container?.closest('form');
    const button = form?.querySelector<HTMLButtonElement>('[type=submit], button:not([type])');
    if (!button?.disabled) form?.requestSubmit();
  }

  private labels(): Element[] {
    const id = this.container?.id;
    return id ? [...document.querySelectorAll(`label[for="${CSS.escape(id)}"]`)] : [];
  }
}
