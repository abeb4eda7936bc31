import { apiSlice } from '../../../src/api/apiSlice';
import { clientSecrets } from '../../../src/api/tokens';
import type { AppStore } from '../../../src/app/store';
import type { Order, Tool } from '../../../src/contract/entities';
import { randomKey } from '../../../src/contract/randomKey';
import type { Random } from '../../../tools/simulate/random';
import { shopOrigin } from '../../support/api';
import { confirmPayment } from '../../support/cards';

const { endpoints } = apiSlice;

export interface Person {
  email: string;
  token: string;
  isAdmin: boolean;
}

export type Read = (store: AppStore) => { unsubscribe(): void };

export const readsOf = ({ email, isAdmin }: Person, tools: Tool[], orders: Order[]): Read[] => [
  ({ dispatch }) => dispatch(endpoints.listTools.initiate()),
  ({ dispatch }) => dispatch(endpoints.listReviews.initiate()),
  ({ dispatch }) => dispatch(endpoints.listMyOrders.initiate(email)),
  ({ dispatch }) => dispatch(endpoints.getProfile.initiate(email)),
  ({ dispatch }) => dispatch(endpoints.checkAdmin.initiate(email)),
  ...tools.map(
    (tool): Read =>
      ({ dispatch }) =>
        dispatch(endpoints.getTool.initiate(tool._id)),
  ),
  ...orders.map(
    (order): Read =>
      ({ dispatch }) =>
        dispatch(endpoints.getOrder.initiate(order._id)),
  ),
  ...(isAdmin ? ADMIN_READS : []),
];

/** Without the number of all orders, because the server counts them once a second. */
const ADMIN_READS: Read[] = [
  ({ dispatch }) => dispatch(endpoints.listAllTools.initiate()),
  ({ dispatch }) => dispatch(endpoints.listOrders.initiate()),
  ({ dispatch }) => dispatch(endpoints.countOrdersByStatus.initiate()),
  ({ dispatch }) => dispatch(endpoints.listUsers.initiate()),
  ({ dispatch }) => dispatch(endpoints.listOrderPages.initiate({})),
  ({ dispatch }) => dispatch(endpoints.listOrderPages.initiate({ status: 'paid' })),
];

export type Write = (store: AppStore) => unknown;
export interface World {
  random: Random;
  tools: Tool[];
  orders: Order[];
}

const shipment = { carrier: 'UPS', tracking: '1Z' };

/**
 * As the payment page does: starts a payment, confirms it at the provider, and reports it. The report always arrives,
 * because the provider's event would otherwise change the order later.
 */
export async function pay({ dispatch }: AppStore, order: Order) {
  const totalPrice = (order.price ?? 1) * order.totalQuantity;
  const { data } = await dispatch(endpoints.createPaymentIntent.initiate({ order, totalPrice }));
  const secret = clientSecrets.get(order._id);
  if (!data || !secret) return;
  const { status, intentId: transactionId } = await confirmPayment(shopOrigin(), secret);
  if (status === 'succeeded') await dispatch(endpoints.payOrder.initiate({ order: order._id, transactionId }));
}

/** What a person does with an order, also if another person has just changed it. */
export function orderWrites({ email, isAdmin }: Person, order: Order): Record<string, Write> {
  const totalPrice = (order.price ?? 1) * order.totalQuantity;
  const remove: Write = ({ dispatch }) => dispatch(endpoints.deleteOrder.initiate({ ...order, email }));
  if (!isAdmin)
    return {
      deleteOrder: remove,
      startPayment: ({ dispatch }) => dispatch(endpoints.createPaymentIntent.initiate({ order, totalPrice })),
      pay: (store) => pay(store, order),
    };
  return {
    deleteOrder: remove,
    offerPrice: ({ dispatch }) => dispatch(endpoints.offerPrice.initiate({ order, price: 3 })),
    refundOrder: ({ dispatch }) =>
      dispatch(
        endpoints.refundOrder.initiate({ order, refund: { reason: 'Broken', restock: true }, key: randomKey() }),
      ),
    shipOrder: ({ dispatch }) => dispatch(endpoints.shipOrder.initiate({ order, shipment })),
    correctShipment: ({ dispatch }) => dispatch(endpoints.correctShipment.initiate({ order, shipment })),
  };
}

/** What the server carries out in each status of an order. */
const POSSIBLE: Record<Order['status'], string[]> = {
  unpriced: ['deleteOrder', 'offerPrice'],
  unpaid: ['deleteOrder', 'startPayment', 'pay'],
  paid: ['shipOrder', 'refundOrder'],
  shipped: ['correctShipment', 'refundOrder'],
  refunded: [],
};

export function writesOf(person: Person, { random, tools, orders }: World): Record<string, Write> {
  const tool = random.pick(tools);
  const order = random.pick(orders);
  const totalQuantity = random.pick([20, 25, 5]);
  const draft = { ...{ productName: tool.name, toolId: tool._id }, address: 'a', phone: '555 0100', totalQuantity };
  const key = String(random.next());
  const text = { description: `Text ${key}`, img: '/a.svg' };
  const profile = { email: person.email, address: key, phone: '555 0100', linkedIn: 'https://a.example' };
  const own: Record<string, Write> = {
    placeOrder: ({ dispatch }) => dispatch(endpoints.placeOrder.initiate({ draft, key })),
    addReview: ({ dispatch }) => dispatch(endpoints.addReview.initiate({ ...text, ratings: 5 })),
    saveProfile: ({ dispatch }) => dispatch(endpoints.saveProfile.initiate(profile)),
  };
  if (order && random.chance(0.5)) {
    const writes = Object.entries(orderWrites(person, order));
    const possible = writes.filter(([name]) => POSSIBLE[order.status].includes(name));
    return Object.fromEntries(possible.length > 0 ? possible : writes);
  }
  if (!person.isAdmin) return own;
  const newTool = { ...text, name: `Saw ${key}`, price: 9, minimumOrderQuantity: 1, availableQuantity: 9 };
  const change = random.pick([{ price: random.integer(10, 30) }, { stockChange: 50 }, { onSale: random.chance(0.7) }]);
  return {
    addTool: ({ dispatch }) => dispatch(endpoints.addTool.initiate(newTool)),
    editTool: ({ dispatch }) => dispatch(endpoints.editTool.initiate({ id: tool._id, change, key })),
    removeReview: async (store) => {
      const { data } = await store.dispatch(endpoints.listReviews.initiate());
      const review = data?.find(({ description }) => description.startsWith('Text'));
      if (review) await store.dispatch(endpoints.removeReview.initiate(review._id));
    },
    makeAdmin: async ({ dispatch }) => {
      const { data } = await dispatch(endpoints.listUsers.initiate());
      const user = data?.find(({ role }) => role !== 'admin');
      if (user) await dispatch(endpoints.makeAdmin.initiate(user.email));
    },
    undoMakeAdmin: async ({ dispatch }) => {
      const { data } = await dispatch(endpoints.listUsers.initiate());
      const user = data?.findLast(({ role }) => role === 'admin');
      if (user) await dispatch(endpoints.undoMakeAdmin.initiate(user.email));
    },
  };
}
