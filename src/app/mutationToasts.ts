import { isAnyOf, isRejectedWithValue, type UnknownAction } from '@reduxjs/toolkit';
import { apiSlice } from '../api/apiSlice';
import { MESSAGES } from '../contract/messages';
import { failureOf, fieldErrorsOf } from '../contract/problem';
import { tellingOf } from '../contract/telling';
import { selectAuth } from '../session/authSlice';
import { notify } from '../feedback/notify';

export { renewIfExpired } from '../session/leaving';

const { placeOrder, saveProfile, addReview, addTool, makeAdmin, signUser, endSession, createPaymentIntent, payOrder } =
  apiSlice.endpoints;

const SUCCESSES: [(action: UnknownAction) => boolean, string][] = [
  [placeOrder.matchFulfilled, MESSAGES.orderPlaced],
  [saveProfile.matchFulfilled, MESSAGES.profileSaved],
  [addReview.matchFulfilled, MESSAGES.reviewSaved],
  [addTool.matchFulfilled, MESSAGES.toolAdded],
  [makeAdmin.matchFulfilled, MESSAGES.adminMade],
];

/** Their pages show what went wrong in place. Whoever signed out is signed out here in any case. */
const shownInPlace = isAnyOf(
  signUser.matchRejected,
  endSession.matchRejected,
  createPaymentIntent.matchRejected,
  payOrder.matchRejected,
);

/** So does the purchase form, of what it has words and a way on for, as long as it is there. */
function shownByForm(action: UnknownAction) {
  if (!placeOrder.matchRejected(action)) return false;
  const { status, problem } = failureOf(action.payload);
  const hasWords = problem?.code === 'price_changed' || typeof status !== 'number';
  return hasWords && location.pathname === `/purchase/${action.meta.arg.originalArgs.draft.toolId}`;
}

const isToldHere = (action: UnknownAction) =>
  isRejectedWithValue(action) && !shownInPlace(action) && !shownByForm(action);

type State = Parameters<typeof selectAuth>[0];
const isSignedIn = (state: unknown) => selectAuth(state as State).status === 'signedIn';

/** Its session ended in between; whoever is signed out by then has had the call broken off. */
const isProfileOfNobody = (action: UnknownAction, state: unknown) =>
  saveProfile.matchRejected(action) && (failureOf(action.payload).status === 401 || !isSignedIn(state));

/** A form shows its fields' errors itself; whoever was just signed out has been told. */
function tellFailure(action: UnknownAction & { payload?: unknown }, state: unknown) {
  if (isProfileOfNobody(action, state)) notify.bad(MESSAGES.noUser);
  else if (isToldHere(action) && fieldErrorsOf(action.payload).length === 0 && isSignedIn(state))
    notify.bad(tellingOf(action.payload));
}

/** Says to the person how a mutation ended. */
export function tell(action: UnknownAction, state: unknown) {
  const success = SUCCESSES.find(([matches]) => matches(action));
  if (success) notify.good(success[1]);
  else tellFailure(action, state);
}
