import { Elements } from './elements';
import {
  confirm,
  createPaymentMethod,
  handleNextAction,
  retrieve,
  type ConfirmData,
  type PaymentMethodData,
} from './intents';

/** Creates the object that Stripe.js would create, but its calls go to this sandbox instead of Stripe. */
function createStripe(key: string) {
  return {
    elements: () => new Elements(),
    createPaymentMethod: (data: PaymentMethodData) => createPaymentMethod(key, data),
    confirmCardPayment: (clientSecret: string, data?: ConfirmData, options?: { handleActions?: boolean }) =>
      confirm(key, clientSecret, data, options?.handleActions),
    handleCardAction: (clientSecret: string) => handleNextAction(key, clientSecret),
    handleNextAction: ({ clientSecret }: { clientSecret: string }) => handleNextAction(key, clientSecret),
    retrievePaymentIntent: (clientSecret: string) => retrieve(key, clientSecret),
    createToken: async () => ({
      error: { type: 'invalid_request_error', message: 'This sandbox creates payment methods, not tokens.' },
    }),
    _registerWrapper: () => undefined,
    registerAppInfo: () => undefined,
  };
}

/** `@stripe/stripe-js` expects this `version` and logs a warning about any other. */
Object.assign(window, { Stripe: Object.assign(createStripe, { version: 'endive' }) });
