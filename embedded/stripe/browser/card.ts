import type { PaymentMethod, PaymentMethodResult } from '@stripe/stripe-js';
import { post } from './api';
import { CardForm } from './cardForm';
import { acceptChannel, type BillingDetails, type MessageFromCard, type MessageToCard } from './messages';

type SendToPage = (message: MessageFromCard) => void;

let sendToPage: SendToPage = () => undefined;
let isReady = false;
const form = new CardForm((change) => {
  if (isReady) sendToPage({ type: 'change', change });
});
const sendEvent = (name: 'ready' | 'focus' | 'blur' | 'escape') => sendToPage({ type: 'event', name });

async function createPaymentMethod(key: string, billing: BillingDetails): Promise<PaymentMethodResult> {
  const error = form.validate();
  if (error) return { error };
  const addressFromForm = { postal_code: form.postal.hidden ? undefined : form.postal.value };
  const billingAddress = typeof billing.address === 'object' ? billing.address : {};
  const billing_details = { ...billing, address: { ...addressFromForm, ...billingAddress } };
  const response = await post<PaymentMethod>(key, '/v1/payment_methods', {
    type: 'card',
    card: form.readCard(),
    billing_details,
  });
  return response.error ? { error: response.error } : { paymentMethod: response.value as PaymentMethod };
}

function handleMessage(message: MessageToCard) {
  if (message.type === 'focus') (form.visibleInputs().find((input) => input.value === '') ?? form.number).focus();
  if (message.type === 'create') {
    void createPaymentMethod(message.key, message.billing).then((result) =>
      sendToPage({ type: 'created', id: message.id, result }),
    );
  }
  if (message.type === 'options') {
    form.applyOptions(message.options);
    if (!isReady) sendEvent('ready');
    isReady = true;
  }
}

function handleKey(press: KeyboardEvent) {
  const input = press.target as HTMLInputElement;
  if (press.key === 'Escape') sendEvent('escape');
  if (press.key === 'Backspace' && input.value === '') {
    const previous = form.visibleInputs()[form.visibleInputs().indexOf(input) - 1];
    if (previous) press.preventDefault();
    previous?.focus();
  }
}

form.form.addEventListener('keydown', handleKey);
form.form.addEventListener('submit', (submission) => submission.preventDefault());
form.form.addEventListener('focusin', ({ relatedTarget }) => relatedTarget === null && sendEvent('focus'));
form.form.addEventListener('focusout', ({ relatedTarget }) => relatedTarget === null && sendEvent('blur'));
form.form.addEventListener('keypress', ({ key }) => key === 'Enter' && sendToPage({ type: 'submit' }));
void acceptChannel<MessageFromCard, MessageToCard>((message, send) => {
  sendToPage = send;
  handleMessage(message);
});
