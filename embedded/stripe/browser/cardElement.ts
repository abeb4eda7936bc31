import type { PaymentMethodResult, StripeElementClasses } from '@stripe/stripe-js';
import {
  openChannel,
  type BillingDetails,
  type CardChange,
  type CardOptions,
  type MessageFromCard,
  type MessageToCard,
} from './messages';

type Handler = (event: unknown) => void;
type Options = CardOptions & { classes?: StripeElementClasses };

const CLASSES = {
  base: 'StripeElement',
  complete: 'StripeElement--complete',
  empty: 'StripeElement--empty',
  focus: 'StripeElement--focus',
  invalid: 'StripeElement--invalid',
  webkitAutofill: 'StripeElement--webkit-autofill',
} satisfies StripeElementClasses;

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
    private options: Options,
    private readonly onDestroy: () => void,
  ) {}

  on(name: string, handler: Handler) {
    this.handlers.set(name, (this.handlers.get(name) ?? new Set()).add(handler));
    return this;
  }

  once(name: string, handler: Handler) {
    const onceHandler: Handler = (event) => {
      this.off(name, onceHandler);
      handler(event);
    };
    return this.on(name, onceHandler);
  }

  off(name: string, handler?: Handler) {
    if (handler) this.handlers.get(name)?.delete(handler);
    else this.handlers.delete(name);
    return this;
  }

  mount(target: string | HTMLElement) {
    const container = typeof target === 'string' ? document.querySelector<HTMLElement>(target) : target;
    if (!container)
      throw new Error(
        `The selector you specified (${String(target)}) applies to no DOM elements that are currently on the page.`,
      );
    this.unmount();
    const frame = Object.assign(document.createElement('iframe'), {
      src: '/v1/sandbox/card',
      title: 'Secure card payment input frame',
    });
    Object.assign(frame.style, FRAME_STYLE);
    frame.addEventListener('load', () => this.connect(frame));
    this.container = container;
    this.frame = frame;
    this.toggleClasses('base', true);
    this.toggleClasses('empty', true);
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

  update(options: Options) {
    this.options = { ...this.options, ...options };
    this.sendOptions();
  }

  focus = () => this.channel?.send({ type: 'focus' });
  blur = () => this.channel?.send({ type: 'blur' });
  clear = () => this.channel?.send({ type: 'clear' });

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
    const { style, hidePostalCode, hideIcon, disabled, value } = this.options;
    this.channel?.send({ type: 'options', options: { style, hidePostalCode, hideIcon, disabled, value } });
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
    this.toggleClasses('complete', change.complete);
    this.toggleClasses('empty', change.empty);
    this.toggleClasses('invalid', Boolean(change.error));
    this.emit('change', change);
  }

  private emit(name: string, detail: object = {}) {
    if (name === 'focus' || name === 'blur') this.toggleClasses('focus', name === 'focus');
    const event = { elementType: 'card', ...detail };
    [...(this.handlers.get(name) ?? [])].forEach((handler) => handler(event));
  }

  private toggleClasses(state: keyof typeof CLASSES, on: boolean) {
    const names = this.options.classes?.[state] ?? CLASSES[state];
    for (const name of names.split(/\s+/).filter(Boolean)) this.container?.classList.toggle(name, on);
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
