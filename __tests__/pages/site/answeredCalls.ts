import { apiSlice } from '../../../src/api/apiSlice';
import { giveUpResends, watchResends } from '../../../src/api/resends';
import { createStore, type AppStore } from '../../../src/app/store';
import type { Order } from '../../../src/contract/entities';
import { replaceFetch } from '../../support/pageCalls';

/** Nobody waits for calls that are sent again. */
watchResends(giveUpResends);

const { endpoints } = apiSlice;
export const EMAIL = 'ann@mail.example';
const TOOL = 'tool-1';
export const ORDER = 'order-1';
export const PAGES = { status: 'paid' } as const;

export type Dispatch = (store: AppStore) => unknown;
const { removeReview, placeOrder, deleteOrder, shipOrder, correctShipment, offerPrice, refundOrder } = endpoints;
const { downloadOrders, downloadTools, previewToolImport, importTools } = endpoints;
const { addPicture, addTool, editTool, addReview, payOrder, createPaymentIntent } = endpoints;
const { makeAdmin, undoMakeAdmin, saveProfile } = endpoints;

/** All data that pages show, each with the request that loads it. */
export const READS: Record<string, [request: string, read: Dispatch]> = {
  'tools for sale': ['GET /tool', ({ dispatch }) => dispatch(endpoints.listTools.initiate())],
  'all tools': ['GET /tool/all', ({ dispatch }) => dispatch(endpoints.listAllTools.initiate())],
  'the tool': [`GET /tool/${TOOL}`, ({ dispatch }) => dispatch(endpoints.getTool.initiate(TOOL))],
  'another tool': ['GET /tool/tool-2', ({ dispatch }) => dispatch(endpoints.getTool.initiate('tool-2'))],
  reviews: ['GET /review', ({ dispatch }) => dispatch(endpoints.listReviews.initiate())],
  'own orders': ['GET /order?email=ann%40mail.example', (store) => loadOwnOrders(store)],
  'all orders': ['GET /order', ({ dispatch }) => dispatch(endpoints.listOrders.initiate())],
  'order count': ['GET /order, minimal', ({ dispatch }) => dispatch(endpoints.countOrders.initiate())],
  'order pages': ['GET /order?status=paid&limit=50', (store) => loadOrderPages(store)],
  'status counts': ['GET /order/counts', ({ dispatch }) => dispatch(endpoints.countOrdersByStatus.initiate())],
  'the order': [`GET /order/${ORDER}`, ({ dispatch }) => dispatch(endpoints.getOrder.initiate(ORDER))],
  'another order': ['GET /order/order-2', ({ dispatch }) => dispatch(endpoints.getOrder.initiate('order-2'))],
  users: ['GET /user', ({ dispatch }) => dispatch(endpoints.listUsers.initiate())],
  'admin check': ['GET /admin/ann%40mail.example', ({ dispatch }) => dispatch(endpoints.checkAdmin.initiate(EMAIL))],
  profile: ['GET /profile/ann%40mail.example', ({ dispatch }) => dispatch(endpoints.getProfile.initiate(EMAIL))],
};
export const loadOwnOrders: Dispatch = ({ dispatch }) => dispatch(endpoints.listMyOrders.initiate(EMAIL));
export const loadOrderPages: Dispatch = ({ dispatch }) => dispatch(endpoints.listOrderPages.initiate(PAGES));

const describeRequest = ({ method, url, headers }: Request) =>
  `${method} ${url.slice(new URL(url).origin.length)}${headers.get('prefer') === 'return=minimal' ? ', minimal' : ''}`;

const LISTS = /^GET \/(tool|tool\/all|review|user|order(\?.*|, minimal)?)$/;
const order = (_id: string) => ({ _id, email: EMAIL, toolId: TOOL, status: 'paid' }) as Order;

/**
 * Answers each read with data, and each write with `status` or not at all.
 * @returns the requests that follow
 */
export function answerCalls(status: number | 'lost', link = ''): string[] {
  const requests: string[] = [];
  let isDeleted = false;
  replaceFetch(() => (input) => {
    const request = describeRequest(input as Request);
    requests.push(request);
    const headers = { 'content-type': 'application/json', 'x-total-count': '1234', link };
    const isRead = request.startsWith('GET');
    const orders = [...(isDeleted ? [] : [order(ORDER)]), order('order-2')];
    const rows = request.startsWith('GET /order') ? orders : [];
    if (!isRead && status === 'lost') return Promise.reject(new TypeError('no network'));
    isDeleted ||= request.startsWith('DELETE /order') && status === 200;
    const intent = { order: ORDER, clientSecret: 'pi_1_secret_2' };
    const imported = {
      rows: [
        { _id: TOOL, action: 'change' },
        { _id: 'tool-2', action: 'same' },
      ],
    };
    const written = request.includes('intent') ? intent : request.includes('import') ? imported : order(ORDER);
    const body = LISTS.test(request) ? rows : isRead ? {} : written;
    const answer = status === 503 ? { code: 'overloaded', status, detail: 'Later.' } : body;
    const shownStatus = isRead ? 200 : Number(status);
    return Promise.resolve(new Response(JSON.stringify(isRead ? body : answer), { status: shownStatus, headers }));
  });
  return requests;
}

/** Waits for the reads that follow a change. */
export const settle = async ({ dispatch }: AppStore) => {
  await Promise.all(dispatch(apiSlice.util.getRunningQueriesThunk()));
};

export const newStore = () => createStore({ renew: () => Promise.resolve(false) });

const draft = { productName: 'Hammer', address: '1 Main', phone: '555 0100', totalQuantity: 1, toolId: TOOL };
const tool = { name: 'a', price: 1, minimumOrderQuantity: 1, availableQuantity: 1, description: 'a', img: '/a.svg' };
const shipment = { carrier: 'UPS', tracking: '1' };
const profile = { email: EMAIL, address: '1 Main', phone: '555 0100', linkedIn: 'https://a.example' };

export const WRITES = {
  'adding a tool': ({ dispatch }) => dispatch(addTool.initiate(tool)),
  'editing a tool': ({ dispatch }) => dispatch(editTool.initiate({ id: TOOL, change: { price: 2 }, key: 'k' })),
  'uploading a picture': ({ dispatch }) => dispatch(addPicture.initiate({ 384: 'a', 768: 'b', 1536: 'c' })),
  'downloading the tools': ({ dispatch }) => dispatch(downloadTools.initiate()),
  'previewing an import of tools': ({ dispatch }) => dispatch(previewToolImport.initiate(new ArrayBuffer(1))),
  'importing tools': ({ dispatch }) => dispatch(importTools.initiate({ file: new ArrayBuffer(1), key: 'k' })),
  'downloading the orders': ({ dispatch }) => dispatch(downloadOrders.initiate(PAGES)),
  'adding a review': ({ dispatch }) => dispatch(addReview.initiate({ description: 'a', ratings: 5, img: '/a.svg' })),
  'removing a review': ({ dispatch }) => dispatch(removeReview.initiate('review-1')),
  'placing an order': ({ dispatch }) => dispatch(placeOrder.initiate({ draft, key: 'k' })),
  'deleting an order': ({ dispatch }) => dispatch(deleteOrder.initiate(order(ORDER))),
  'shipping an order': ({ dispatch }) => dispatch(shipOrder.initiate({ order: order(ORDER), shipment })),
  'correcting a shipment': ({ dispatch }) => dispatch(correctShipment.initiate({ order: order(ORDER), shipment })),
  'offering a price': ({ dispatch }) => dispatch(offerPrice.initiate({ order: order(ORDER), price: 1 })),
  'refunding an order': ({ dispatch }) =>
    dispatch(refundOrder.initiate({ order: order(ORDER), refund: { reason: 'broken', restock: true }, key: 'a' })),
  'recording a payment': ({ dispatch }) => dispatch(payOrder.initiate({ order: ORDER, transactionId: 'pi_1' })),
  'starting a payment': ({ dispatch }) =>
    dispatch(createPaymentIntent.initiate({ order: order(ORDER), totalPrice: 1 })),
  'making an admin': ({ dispatch }) => dispatch(makeAdmin.initiate(EMAIL)),
  'undoing a promotion': ({ dispatch }) => dispatch(undoMakeAdmin.initiate(EMAIL)),
  'saving a profile': ({ dispatch }) => dispatch(saveProfile.initiate(profile)),
} satisfies Record<string, Dispatch>;
export type Write = keyof typeof WRITES;
