import { sql, type SQL } from 'drizzle-orm';
import { readAccountData, removeAccountsOf } from '../../embedded/firebase-auth';
import { erasePayerData, readPayerData } from '../../embedded/stripe';
import type { Db } from '../../server/db/database';
import type { Deps } from '../../server/deps';
import { metadataFor } from '../../server/payments/provider';
import { recordReturned } from '../../server/payments/recordReturned';
import { erasePerson } from '../../server/privacy/erasePerson';
import { exportPerson } from '../../server/privacy/exportPerson';
import { block, signOutEverywhere, unblock } from '../../server/users/blocking';
import { CENTS_PER_DOLLAR, CURRENCY } from '../../src/contract/limits';
import { PAYING_CARD } from './cards';
import { actOnceOrTwice, confirmCard, deleteOrder, NO_ORDER, type PerformAction } from './customerActions';
import { simulatedRuntime } from './simulatedRuntime';
import type { ADMIN_ACTIONS } from './plan';
import type { Person, TabSession } from './tabSession';

const pickOrder = (tab: TabSession, choice: number, filter: (id: string) => boolean = () => true) =>
  tab.pick(
    [...tab.ledger.orders.values()].filter(({ id }) => filter(id)),
    choice,
  );

/** Usually a paid order. Sometimes any order, because the shop must also refuse others. */
function pickPaidOrder(tab: TabSession, choice: number) {
  const { paid } = tab.ledger;
  return pickOrder(tab, choice, (id) => paid.has(id)) ?? (choice % 4 === 0 ? pickOrder(tab, choice) : undefined);
}

async function ship(tab: TabSession, [orderChoice, trackingChoice, doubleChoice]: number[]) {
  const { ledger } = tab;
  const { id } = pickPaidOrder(tab, orderChoice!) ?? {};
  if (!id) return NO_ORDER;
  const wasRefunded = ledger.refunded.has(id);
  const shipOnce = async (tracking: string) => {
    const response = await tab.callWithRetries('POST', `/order/${id}/shipment`, { carrier: 'UPS', tracking });
    if (response?.status !== 201) return;
    if (wasRefunded && !ledger.shipped.has(id)) ledger.note(`The order ${id} was shipped after its refund.`);
    ledger.shipped.add(id);
  };
  return actOnceOrTwice(doubleChoice!, 3, (n) => shipOnce(n === 0 ? `1Z${trackingChoice! % 2}` : '1Z2'));
}

/** Often an order of which pieces were refunded before, because refunds of one order must add up. */
function pickRefundableOrder(tab: TabSession, choice: number) {
  const refunds = [...tab.ledger.refunds.values()];
  const again =
    choice % 2 === 0 ? pickOrder(tab, choice, (id) => refunds.some((refund) => refund.id === id)) : undefined;
  return again ?? pickPaidOrder(tab, choice);
}

/** @returns undefined for all pieces that are left */
function choosePieces(choice: number, quantity: number): number | undefined {
  if (choice % 4 === 0) return undefined;
  return choice % 4 === 1 ? 1 : 1 + (choice % quantity);
}

/** Refunds some pieces, or all that is left. Some or all of them return to the stock. */
async function refund(tab: TabSession, [orderChoice, restockChoice, doubleChoice, piecesChoice]: number[]) {
  const { ledger } = tab;
  const { id, quantity } = pickRefundableOrder(tab, orderChoice!) ?? {};
  if (!id || !quantity) return NO_ORDER;
  const pieces = choosePieces(piecesChoice!, quantity);
  const restock = pieces && restockChoice! % 4 > 1 ? restockChoice! % (pieces + 1) : restockChoice! % 2 === 0;
  const key = `refund-${simulatedRuntime.uuid().slice(0, 8)}`;
  const requested = { id, pieces, restock, mayBeStored: false };
  ledger.refunds.set(key, requested);
  const refundOnce = async () => {
    const body = { reason: 'asked', restock, pieces };
    const response = await tab.callWithRetries('POST', `/order/${id}/refund`, body, key);
    if (response?.status !== 409 && response?.status !== 422) requested.mayBeStored = true;
    if (response?.status === 200 && pieces === undefined) ledger.refunded.add(id);
  };
  await actOnceOrTwice(doubleChoice!, 3, refundOnce);
  if (doubleChoice! % 3 === 1) await refundOnce();
}

/** Someone refunds part of a payment, or all of it, at the provider without the shop. */
async function refundAtProvider(tab: TabSession, [intentChoice, amountChoice]: number[]) {
  const { id, amount } =
    (await pickRow<{ id: string; amount: number }>(
      tab,
      sql`select id, amount::float8 as amount from embedded_stripe.intents where status = 'succeeded' order by created_at, id`,
      intentChoice!,
    )) ?? {};
  if (!id || !amount || !tab.world.mayRepay(id, 'at the provider')) return NO_ORDER;
  const amountCents = amountChoice! % 4 === 0 ? amount : 1 + ((amountChoice! * 97) % amount);
  const idempotencyKey = `by-hand-${simulatedRuntime.uuid()}`;
  return runCommand(tab, ({ provider }) =>
    provider.createRefund({ intentId: id, amountCents, metadata: {}, idempotencyKey }),
  );
}

/** Two admins act at once: one refunds the order that the other one ships. */
const shipAndRefund = (tab: TabSession, choices: number[]) => Promise.all([ship(tab, choices), refund(tab, choices)]);

/** Prices an unpriced order, or corrects an offered price. Sometimes two admins do so at once. */
async function offer(tab: TabSession, [orderChoice, isCorrection, doubleChoice]: number[]) {
  const { ledger, world } = tab;
  const chosenOrder = pickOrder(tab, orderChoice!, (id) =>
    isCorrection! % 2 === 0 ? ledger.offered.has(id) : ledger.orders.get(id)!.price === null,
  );
  if (!chosenOrder) return NO_ORDER;
  const { id } = chosenOrder;
  const was = ledger.offered.get(id) ?? null;
  const offerOnce = async () => {
    const price = world.newPrice();
    const response = await tab.callWithRetries('PUT', `/order/${id}/price`, { price, was });
    if (response?.status !== 200) return;
    ledger.noteEdit({ id, was, price });
    ledger.offered.set(id, price);
  };
  return actOnceOrTwice(doubleChoice!, 2, offerOnce);
}

async function restock(tab: TabSession, [toolChoice, amountChoice, doubleChoice]: number[]) {
  const { ledger, world } = tab;
  const tool = tab.pick(world.tools, toolChoice!)!;
  const stockChange = 1 + (amountChoice! % 3);
  const key = `restock-${simulatedRuntime.uuid().slice(0, 8)}`;
  let isAcknowledged = false;
  const restockOnce = async () => {
    const response = await tab.callWithRetries('PATCH', `/tool/${tool.id}`, { stockChange }, key);
    if (response?.status === 200) isAcknowledged = true;
  };
  await actOnceOrTwice(doubleChoice!, 3, restockOnce);
  if (isAcknowledged)
    ledger.acknowledgedStockChange.set(tool.id, (ledger.acknowledgedStockChange.get(tool.id) ?? 0) + stockChange);
  else ledger.uncertainStockChanges.set(tool.id, [...(ledger.uncertainStockChanges.get(tool.id) ?? []), stockChange]);
}

/** Sometimes two admins change the price at once. Only one may succeed, because both have seen the same old price. */
async function changePrice(tab: TabSession, [toolChoice, doubleChoice]: number[]) {
  const { ledger, world } = tab;
  const tool = tab.pick(world.tools, toolChoice!)!;
  const oldPrice = tool.price;
  const changeOnce = async () => {
    const price = world.newPrice();
    const key = `price-${simulatedRuntime.uuid().slice(0, 8)}`;
    const response = await tab.callWithRetries('PATCH', `/tool/${tool.id}`, { price, was: { price: oldPrice } }, key);
    const current = (response?.body['meta'] as { price?: number } | undefined)?.price;
    if (current !== undefined) tool.price = current;
    if (response?.status !== 200) return;
    ledger.noteEdit({ id: tool.id, was: oldPrice, price });
    tool.price = price;
  };
  await actOnceOrTwice(doubleChoice!, 2, changeOnce);
}

/**
 * Runs an operator's command with a copy's connections.
 * @returns undefined if it failed or the copy crashed
 */
async function runCommand<T>({ world }: TabSession, command: (deps: Deps) => Promise<T>): Promise<T | undefined> {
  const copy = world.pickCopy();
  const outcome = copy.runInContext(() => command(copy.shop.deps));
  return Promise.race([outcome, copy.crashed]).catch(() => undefined);
}

async function pickRow<T extends Record<string, unknown>>(tab: TabSession, query: SQL, choice: number) {
  const found = await runCommand(tab, ({ db }) => db.execute<T>(query));
  return tab.pick(found?.rows ?? [], choice);
}

/** Runs a command that ends all sessions of a customer. */
async function endSessions(
  tab: TabSession,
  person: Person,
  command: (db: Db, email: string, now: Date) => Promise<unknown>,
) {
  const { world } = tab;
  const { token } = person;
  const now = new Date(simulatedRuntime.now);
  const outcome = await runCommand(tab, ({ db }) => command(db, person.email, now));
  const hasEnded = outcome === 'done' || (typeof outcome === 'object' && outcome !== null && 'person' in outcome);
  if (hasEnded && world.issuedAtMs(token) < now.getTime()) world.endToken(person, token);
  return hasEnded;
}

const pickCustomer = ({ world }: TabSession, choice: number) => world.people[choice % 2]!;

const MAX_TRIES = 4;

/** Blocks a customer for a while. */
async function blockCustomer(tab: TabSession, [personChoice]: number[]) {
  const person = pickCustomer(tab, personChoice!);
  await endSessions(tab, person, block);
  for (let tries = 0; tries < MAX_TRIES; tries++)
    if (await runCommand(tab, ({ db }) => unblock(db, person.email))) return;
}

const PERSONAL_DATA = [
  { name: 'identity', read: readAccountData, erase: removeAccountsOf },
  { name: 'payments', read: readPayerData, erase: erasePayerData },
];

async function eraseCustomer(tab: TabSession, [personChoice]: number[]) {
  const person = pickCustomer(tab, personChoice!);
  await runCommand(tab, ({ db }) => exportPerson(db, person.email, PERSONAL_DATA));
  const erase = (db: Db, email: string, now: Date) => erasePerson(db, email, PERSONAL_DATA, now);
  person.wasErasureRequested = true;
  if (await endSessions(tab, person, erase)) person.isErased = true;
}

/** Records that the operator has paid back money that the shop has not refunded. */
async function recordReturnedMoney(tab: TabSession, [choice]: number[]) {
  const due = sql`
    select p.intent_id as id from payments p left join orders o on o.id = p.order_id and p.outcome = 'paid'
    where returned_at is null and (o.refund_failed or (p.outcome = 'refund due'
      and not exists (select from refunds r where r.payment_id = p.intent_id))) order by 1`;
  const { id } = (await pickRow<{ id: string }>(tab, due, choice!)) ?? {};
  if (!id || !tab.world.mayRepay(id, 'at the bank')) return NO_ORDER;
  return runCommand(tab, ({ db }) => recordReturned(db, id));
}

/** Not the number of any attempt of the shop. */
const FOREIGN_ATTEMPT = 99;

/** Charges a customer at the provider without the shop, as an operator can. */
export async function chargeAtProvider(tab: TabSession, orderId: string, amountCents: number) {
  const copy = tab.world.pickCopy();
  const { provider, shopId } = copy.shop.deps;
  const intent = {
    ...{ amountCents, currency: CURRENCY, metadata: metadataFor(shopId, orderId, FOREIGN_ATTEMPT) },
    idempotencyKey: `by-hand-${simulatedRuntime.uuid()}`,
  };
  const created = await Promise.race([copy.runInContext(() => provider.createIntent(intent)), copy.crashed]).catch(
    () => undefined,
  );
  if (created?.clientSecret) await confirmCard(tab, created.clientSecret, PAYING_CARD);
}

/**
 * Money arrives for an order that is paid, refunded or deleted. An order that may still be unpaid gets the wrong amount,
 * because the right one would pay it although its own payment is open.
 */
function chargeByHand(tab: TabSession, [orderChoice]: number[]) {
  const { ledger } = tab;
  const hasEnded = (id: string) => ledger.paid.has(id) || ledger.deleted.has(id);
  const chosenOrder = pickOrder(tab, orderChoice!, hasEnded) ?? pickOrder(tab, orderChoice!);
  if (!chosenOrder) return Promise.resolve(NO_ORDER);
  const { id, quantity } = chosenOrder;
  const price = ledger.offered.get(id) ?? chosenOrder.price ?? 1;
  return chargeAtProvider(tab, id, price * quantity * CENTS_PER_DOLLAR + (hasEnded(id) ? 0 : 1));
}

export const adminActions: Record<(typeof ADMIN_ACTIONS)[number], PerformAction> = {
  ship,
  refund,
  'ship and refund': shipAndRefund,
  'offer price': offer,
  restock,
  'change price': changePrice,
  'delete any': (tab, [choice]) => deleteOrder(tab, pickOrder(tab, choice!)?.id),
  'sign customer out': (tab, [choice]) => endSessions(tab, pickCustomer(tab, choice!), signOutEverywhere),
  'block customer': blockCustomer,
  'erase customer': eraseCustomer,
  'record returned money': recordReturnedMoney,
  'charge by hand': chargeByHand,
  'refund at provider': refundAtProvider,
};
