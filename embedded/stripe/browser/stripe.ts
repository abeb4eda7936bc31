import { Elements } from './elements';
import { confirm, createPaymentMethod, retrieve, type PaymentMethodData } from './intents';

/** Creates the object that Stripe.js would create, but its calls go to this sandbox instead of Stripe. */
function createStripe(key: string) {
  return {
    elements: () => new Elements(),
    createPaymentMethod: (data: PaymentMethodData) => createPaymentMethod(key, data),
    confirmCardPayment: (clientSecret: string, { payment_method }: { payment_method: string }) =>
      confirm(key, clientSecret, payment_method),
    retrievePaymentIntent: (clientSecret: string) => retrieve(key, clientSecret),
    // Stripe's React components check that these exist.
    createToken: () => Promise.reject(new Error('This sandbox creates payment methods, not tokens.')),
    _registerWrapper: () => undefined,
    registerAppInfo: () => undefined,
  };
}

/** `@stripe/stripe-js` expects this `version` and logs a warning about any other. */
Object.assign(window, { Stripe: Object.assign(createStripe, { version: 'endive' }) });
