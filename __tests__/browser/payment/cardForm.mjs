import { CardElement, Elements, useElements, useStripe } from '@stripe/react-stripe-js';
import { loadStripe } from '@stripe/stripe-js';
import { createElement as h, StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';

const query = new globalThis.URLSearchParams(globalThis.location.search);
const colour = query.get('colour') ?? '#16181b';
const style = { base: { color: colour, '::placeholder': { color: '#565c63' } }, invalid: { color: '#b3261e' } };
const options = { style, hidePostalCode: !query.has('postal') };

/** A payment page as Stripe's documentation has it: a method from the card, then the confirmation. */
function Form() {
  const [stripe, elements] = [useStripe(), useElements()];
  const [said, say] = useState('');
  const [problem, setProblem] = useState('');
  const [ready, setReady] = useState(false);
  async function pay(event) {
    event.preventDefault();
    say('');
    const made = await stripe.createPaymentMethod({ type: 'card', card: elements.getElement(CardElement) });
    if (made.error) return say(`not confirmed: ${made.error.message}`);
    const { error, paymentIntent } = await stripe.confirmCardPayment(query.get('secret'), {
      payment_method: made.paymentMethod.id,
    });
    say(error ? `${error.code}: ${error.message}` : `paid: ${paymentIntent.status}`);
  }
  const onChange = ({ error, complete, brand }) =>
    setProblem(`${error?.message ?? (complete ? 'complete' : '')} ${brand}`);
  const card = h(CardElement, { id: 'card', options, onChange, onReady: () => setReady(true) });
  const parts = [h('label', { htmlFor: 'card' }, 'Card'), card, h('p', { id: 'problem' }, problem)];
  return h(
    'form',
    { onSubmit: pay },
    ...parts,
    h('button', { disabled: !ready }, 'PAY'),
    h('p', { role: 'status' }, said),
  );
}

const stripe = loadStripe('pk_test_forgeline');
createRoot(globalThis.document.querySelector('#root')).render(h(StrictMode, null, h(Elements, { stripe }, h(Form))));
