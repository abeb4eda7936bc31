import type { PaymentMethod, PaymentMethodResult } from '@stripe/stripe-js';
import { post } from './api';
import { CardForm } from './cardForm';
import { acceptChannel, type BillingDetails, type FromCard, type ToCard } from './messages';

type Say = (message: FromCard) => void;

let say: Say = () => undefined;
let isReady = false;
const form = new CardForm((change) => {
  if (isReady) say({ type: 'change', change });
});
const event = (name: 'ready' | 'focus' | 'blur' | 'escape') => say({ type: 'event', name });

async function createPaymentMethod(key: string, billing: BillingDetails): Promise<PaymentMethodResult> {
  const error = form.insist();
  if (error) return { error };
  const address = { postal_code: form.postal.hidden ? undefined : form.postal.value };
  const given = typeof billing.address === 'object' ? billing.address : {};
  const billing_details = { ...billing, address: { ...address, ...given } };
  const answer = await post<PaymentMethod>(key, '/v1/payment_methods', {
    type: 'card',
    card: form.card(),
    billing_details,
  });
  return answer.error ? { error: answer.error } : { paymentMethod: answer.value as PaymentMethod };
}

function obey(message: ToCard) {
  if (message.type === 'focus') (form.used().find((input) => input.value === '') ?? form.number).focus();
  if (message.type === 'blur' && document.activeElement instanceof HTMLElement) document.activeElement.blur();
  if (message.type === 'clear') form.clear();
  if (message.type === 'create') {
    void createPaymentMethod(message.key, message.billing).then((result) =>
      say({ type: 'created', id: message.id, result }),
    );
  }
  if (message.type === 'options') {
    form.apply(message.options);
    if (!isReady) event('ready');
    isReady = true;
  }
}

function onKey(press: KeyboardEvent) {
  const input = press.target as HTMLInputElement;
  if (press.key === 'Escape') event('escape');
  if (press.key === 'Backspace' && input.value === '') {
    const previous = form.used()[form.used().indexOf(input) - 1];
    if (previous) press.preventDefault();
    previous?.focus();
  }
}

form.form.addEventListener('keydown', onKey);
form.form.addEventListener('submit', (submission) => submission.preventDefault());
form.form.addEventListener('focusin', ({ relatedTarget }) => relatedTarget === null && event('focus'));
form.form.addEventListener('focusout', ({ relatedTarget }) => relatedTarget === null && event('blur'));
form.form.addEventListener('keypress', ({ key }) => key === 'Enter' && say({ type: 'submit' }));
void acceptChannel<FromCard, ToCard>((message, send) => {
  say = send;
  obey(message);
});
