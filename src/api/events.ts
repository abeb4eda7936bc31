import { createAction } from '@reduxjs/toolkit';

/**
 * What happened in a visit, for Redux DevTools, beside `auth/signedIn`, `auth/signedOut` and the calls. Nothing reacts
 * to these actions.
 */
export const signInStarted = createAction<{ method: string }>('auth/signInStarted');
export const signInRefused = createAction<{ code: string }>('auth/signInRefused');
export const orderSent = createAction<{ toolId?: string; totalQuantity: number }>('order/sent');
export const paymentStarted = createAction<{ order: string; transactionId: string }>('payment/started');
export const paymentConfirmed = createAction<{ order: string }>('payment/confirmed');
export const paymentFailed = createAction<{ order: string; code: string }>('payment/failed');
