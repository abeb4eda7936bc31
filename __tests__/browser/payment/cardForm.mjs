import { CardElement, Elements, useElements, useStripe } from '@stripe/react-stripe-js';
import { loadStripe } from '@stripe/stripe-js';
import { createElement as h, StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';

const query = new globalThis.URLSearchParams(globalThis.location.search);
const color = query.get('color') ?? '#16181b';
const style = { base: { color, '::placeholder': { color: '#565c63' } }, invalid: { color: '#b3261e' } };
const options = { style, hidePostalCode: !query.has('postal') };

/** A payment form as in Stripe's documentation: it creates a payment method from the card, then confirms the intent. */
function Form() {
  const [stripe, elements] = [useStripe(), useElements()];
  const [result, setResult] = useState('');
  const [problem, setProblem] = useState('');
  const [isReady, setReady] = useState(false);
  async function pay(event) {
    event.preventDefault();
    setResult('');
    const created = await stripe.createPaymentMethod({ type: 'card', card: elements.getElement(CardElement) });
    if (created.error) return setResult(`not confirmed: ${created.error.message}`);
    const { error, paymentIntent } = await stripe.confirmCardPayment(query.get('secret'), {
      payment_method: created.paymentMethod.id,
    });
    setResult(error ? `${error.code}: ${error.message}` : `paid: ${paymentIntent.status}`);
  }
  const onChange = ({ error, complete, brand }) =>
    setProblem(`${error?.message ?? (complete ? 'complete' : '')} ${brand}`);
  const card = h(CardElement, { id: 'card', options, onChange, onReady: () => setReady(true) });
  const fields = [h('label', { htmlFor: 'card' }, 'Card'), card, h('p', { id: 'problem' }, problem)];
  return h(
    'form',
    { onSubmit: pay },
    ...fields,
    h('button', { disabled: !isReady }, 'PAY'),
    h('p', { role: 'status' }, result),
  );
}

const stripe = loadStripe('pk_test_forgeline');
createRoot(globalThis.document.querySelector('#root')).render(h(StrictMode, null, h(Elements, { stripe }, h(Form))));
