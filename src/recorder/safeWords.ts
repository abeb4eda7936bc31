import { ERROR_TITLES } from '../contract/errorCodes';

const words = (text: string) => text.trim().split(/\s+/);

/**
 * The field names of the state, the actions and the API. All other keys are data, such as an email in a cache key, and
 * are replaced.
 */
export const SAFE_KEYS = new Set(
  words(`
    api auth admin queries mutations provided subscriptions config tags keys type id payload meta error status
    endpointName requestId originalArgs queryCacheKey startedTimeStamp fulfilledTimeStamp data arg subscribe
    forceRefetch subscriptionOptions requestStatus baseQueryMeta response failure rejectedWithValue aborted condition
    direction initialPageParam queryDescription value pages pageParams pageParam patches inversePatches op path
    refetchOnFocus refetchOnReconnect refetchOnMountOrArgChange keepUnusedDataFor reducerPath invalidationBehavior
    online focused middlewareRegistered fixedCacheKey track name message isSessionOver stack digest
    pollingInterval skipPollingIfUnfocused refetchCachedPages providedTags cacheKey Tool Review Order User Profile LIST OWN_LIST
    _id price minimumOrderQuantity availableQuantity description img onSale stockChange was ratings client email
    productName address phone totalQuantity toolId carrier tracking link note at reason restock paid transactionId card brand last4
    placedAt paidAt heldUntil dispute refundRequested refundFailed refundedAt refundReason shippingLog unpriced
    unpaid shipped refunded min max
    order totalPrice amount currency role verified linkedIn education title code detail instance errors field
    displayName hasPassword signedOutAtKey orders next draft key change shipment acceptsNewPrice q url method recorded chunk frames
    originalStatus timestamp how
  `),
);

/** The values of enumerations, which are kept because they reveal nothing about a person. */
const SAFE_VALUES = new Set([
  ...words(`
    uninitialized pending fulfilled rejected query mutation infinitequery Tool Review Order User Profile LIST OWN_LIST api
    FETCH_ERROR PARSING_ERROR TIMEOUT_ERROR CUSTOM_ERROR resolving signedIn signedOut unknown admin member unpriced
    unpaid paid shipped refunded open won lost range share limit total usd add replace remove forward backward
    delayed immediately __rtkq Rejected Aborted Error TypeError ConditionError AbortError default
    pushed replaced popped UNPAID PAID amex diners discover jcb mastercard unionpay visa
    card_declined expired_card incorrect_cvc incorrect_number incorrect_zip invalid_cvc invalid_number incomplete_number
    processing_error payment_intent_authentication_failure payment_intent_unexpected_state
  `),
  'shown in place',
  ...Object.entries(ERROR_TITLES).flatMap(([code, title]) => [code, title, `/problems/${code}`]),
]);

const TIMES = new Set(['at', 'placedAt', 'paidAt', 'heldUntil', 'refundedAt']);
const ISO_TIME = /^\d{4}-\d\d-\d\dT[\d:.]{5,15}Z$/;
/** Matches the shop's own pictures, which are public. */
const OWN_PICTURE = /^\/images\/[a-z0-9/-]{1,60}\.(?:webp|svg|png|jpg)$/;
/** Matches request ids. Customers read out the end of an id to support. */
export const REQUEST_ID = /^[a-z2-9]{5}-[0-9a-z]{1,10}$/;

export function isSafeValue(text: string, key: string): boolean {
  if (SAFE_VALUES.has(text)) return true;
  if (TIMES.has(key)) return ISO_TIME.test(text);
  if (key === 'img') return OWN_PICTURE.test(text);
  return key === 'instance' && REQUEST_ID.test(text);
}

const PATH_WORDS = new Set(
  words(`home blogs about login signup purchase dashboard myorder addreview payment allusers addproduct
    manageallorders report`),
);
export const isPathWord = (word: string): boolean => word === '' || PATH_WORDS.has(word);
