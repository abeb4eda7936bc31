import { Elements } from './elements';
import { confirm, createPaymentMethod, handleNextAction, retrieve, type ConfirmData, type NewMethod } from './intents';

/** In place of Stripe's own browser object when payments are embedded: the same calls, of this sandbox. */
function makeStripe(key: string) {
  return {
    elements: () => new Elements(),
    createPaymentMethod: (data: NewMethod) => createPaymentMethod(key, data),
    confirmCardPayment: (clientSecret: string, data?: ConfirmData, options?: { handleActions?: boolean }) =>
      confirm(key, clientSecret, data, options?.handleActions),
    handleCardAction: (clientSecret: string) => handleNextAction(key, clientSecret),
    handleNextAction: ({ clientSecret }: { clientSecret: string }) => handleNextAction(key, clientSecret),
    retrievePaymentIntent: (clientSecret: string) => retrieve(key, clientSecret),
    createToken: async () => ({
      error: { type: 'invalid_request_error', message: 'This sandbox makes payment methods, not tokens.' },
    }),
    _registerWrapper: () => undefined,
    registerAppInfo: () => undefined,
  };
}

/** The release that the wrapper packages expect; with another one they warn. */
Object.assign(window, { Stripe: Object.assign(makeStripe, { version: 'endive' }) });
