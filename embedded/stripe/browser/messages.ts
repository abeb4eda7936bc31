import type { PaymentMethodResult, StripeCardElementChangeEvent, StripeElementStyle } from '@stripe/stripe-js';

/** The options that the page sends to the card field's iframe. */
export interface CardOptions {
  style?: StripeElementStyle;
  hidePostalCode?: boolean;
  disabled?: boolean;
}

export interface BillingDetails {
  [name: string]: string | null | undefined | BillingDetails;
}

export type MessageToCard =
  | { type: 'options'; options: CardOptions }
  | { type: 'focus' }
  | { type: 'create'; id: number; key: string; billing: BillingDetails };

export type CardChange = Omit<StripeCardElementChangeEvent, 'elementType'>;

export type MessageFromCard =
  | { type: 'event'; name: 'ready' | 'focus' | 'blur' | 'escape' }
  | { type: 'change'; change: CardChange }
  | { type: 'submit' }
  | { type: 'created'; id: number; result: PaymentMethodResult };

export type ChallengeOutcome = 'pass' | 'fail' | 'close';
export interface MessageToChallenge {
  amount: string;
}
export type MessageFromChallenge = { height: number } | { outcome: ChallengeOutcome };

/** Opens a private channel to a loaded frame, which accepts messages only from this channel. */
export function openChannel<Out, In>(frame: HTMLIFrameElement, onMessage: (message: In) => void) {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = (event) => onMessage(event.data as In);
  frame.contentWindow?.postMessage('forgeline-sandbox', location.origin, [port2]);
  return { send: (message: Out) => port1.postMessage(message), close: () => port1.close() };
}

/** Waits, inside the frame, for the channel from the embedding page. That page must have the same origin. */
export function acceptChannel<Out, In>(
  onMessage: (message: In, send: (message: Out) => void) => void,
): Promise<(message: Out) => void> {
  return new Promise((resolve) => {
    addEventListener('message', (event) => {
      const port = event.ports[0];
      if (event.origin !== location.origin || event.source !== parent || event.data !== 'forgeline-sandbox' || !port)
        return;
      const send = (message: Out) => port.postMessage(message);
      port.onmessage = ({ data }) => onMessage(data as In, send);
      resolve(send);
    });
  });
}
