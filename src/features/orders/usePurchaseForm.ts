import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { NavigationType, useNavigationType, useSearchParams } from 'react-router-dom';
import { usePlaceOrderMutation, useSaveProfileMutation } from '../../api/apiSlice';
import { authorName } from '../../contract/displayName';
import type { OrderDraft, PlacedOrder, Tool } from '../../contract/entities';
import { formatDollars } from '../../contract/formatWithCommas';
import { PAGE_MESSAGES } from '../../contract/pageMessages';
import { failureOf, isUnanswered } from '../../contract/problem';
import { SPEC_MESSAGES } from '../../contract/specMessages';
import { notifyFailure } from '../../feedback/notifyFailure';
import { drafts } from '../../forms/drafts';
import { useSubmitForm } from '../../forms/useSubmitForm';
import { useSession } from '../../session/hooks';
import { useNavigateWhileMounted } from '../../ui/useNavigateWhileMounted';
import { parseQuantity } from './orderRules';
import type { KnownAddress } from './useKnownAddress';

const NOT_SAVED = "Your order is placed, but we couldn't save the address to My Profile.";

export interface PurchaseFields {
  totalQuantity: string;
  address: string;
  phone: string;
  reference: string;
  savesAddress: boolean;
}

/** The form's message about the last request. */
export interface PurchaseOutcome {
  sentence: string;
  newPrice?: number;
  /** Whether the customer has to pay for or delete another order first. */
  leadsToOrders?: boolean;
  /** The fields that the message is about, as they were sent. When one of them changes, the message disappears. */
  about?: Partial<PurchaseFields>;
}

const TOO_MANY = ['too_many_unpaid_orders', 'too_many_unpriced_orders'];
const REFUSALS = ['tool_not_on_sale', 'hold_limit', ...TOO_MANY];

/** @returns undefined for a failure that is shown elsewhere, at its field or as a toast */
function failedOutcomeOf(error: unknown, fields: PurchaseFields): PurchaseOutcome | undefined {
  const { problem } = failureOf(error);
  if (problem && REFUSALS.includes(problem.code))
    return { sentence: problem.detail, leadsToOrders: TOO_MANY.includes(problem.code) };
  if (problem?.code !== 'price_changed')
    return isUnanswered(error)
      ? { sentence: PAGE_MESSAGES.noReplyToOrder, leadsToOrders: true, about: fields }
      : undefined;
  const newPrice = Number(problem.meta?.['price']);
  return { sentence: `The price has changed to ${formatDollars(newPrice)} each.`, newPrice };
}

const isStale = ({ about = {} }: PurchaseOutcome, now: Partial<PurchaseFields>) =>
  Object.entries(about).some(([field, value]) => now[field as keyof PurchaseFields] !== value);

/**
 * Reads the quantity from the URL, to which links such as "Order again" add it. After a reload or a login, a quantity
 * that was typed stays.
 */
function useQuantityFromUrl(draft: string): Partial<PurchaseFields> {
  const quantity = useSearchParams()[0].get('quantity') ?? '';
  const isFollowed = useNavigationType() === NavigationType.Push;
  return /^\d{1,7}$/.test(quantity) ? { totalQuantity: quantity, ...(!isFollowed && drafts.valuesOf(draft)) } : {};
}

/**
 * If the server refused an order because the price has changed (409), uses the new price until the tool is loaded
 * again.
 */
function useCurrentPrice(tool: Tool) {
  const [changed, setChanged] = useState({ from: tool.price, to: tool.price });
  const price = changed.from === tool.price ? changed.to : tool.price;
  return { price, setPrice: (to: number) => setChanged({ from: tool.price, to }) };
}

export function usePurchaseForm(tool: Tool, { address, phone, profile }: KnownAddress) {
  const session = useSession();
  const navigate = useNavigateWhileMounted();
  const [placeOrder] = usePlaceOrderMutation();
  const [saveProfile] = useSaveProfileMutation();
  const [outcome, setOutcome] = useState<PurchaseOutcome>();
  const [lastSaved, setSaved] = useState<PlacedOrder>();
  const { price, setPrice } = useCurrentPrice(tool);
  const draft = `purchase/${tool._id}`;

  function draftOf(fields: PurchaseFields): OrderDraft {
    const typed = {
      address: fields.address.trim(),
      phone: fields.phone.trim(),
      ...(fields.reference.trim() && { reference: fields.reference.trim() }),
      totalQuantity: parseQuantity(fields.totalQuantity),
    };
    const buyer = { client: authorName(session), email: session.email };
    return { ...buyer, price, productName: tool.name, toolId: tool._id, ...typed };
  }

  async function saveAddress({ savesAddress, ...fields }: PurchaseFields) {
    if (!savesAddress || !profile?.linkedIn) return;
    const typed = { address: fields.address.trim(), phone: fields.phone.trim() };
    const { error } = await saveProfile({ ...profile, ...typed });
    if (error) notifyFailure(error, NOT_SAVED);
  }

  function showFailure(error: unknown, fields: PurchaseFields) {
    const failed = failedOutcomeOf(error, fields);
    setOutcome(failed);
    if (failed?.newPrice !== undefined) setPrice(failed.newPrice);
    return failed && '';
  }

  const purchase = useSubmitForm<PurchaseFields, OrderDraft>({
    defaults: { totalQuantity: String(tool.minimumOrderQuantity), address, phone, reference: '', savesAddress: false },
    draft,
    prefill: useQuantityFromUrl(draft),
    success: SPEC_MESSAGES.orderPlaced,
    bodyOf: draftOf,
    send: async (fields, { body, key }) => {
      setOutcome(undefined);
      const order = await placeOrder({ draft: body, key }).unwrap();
      void saveAddress(fields);
      if (order.price !== null)
        return { leave: () => void navigate('/dashboard/myorder', { state: { placed: order._id } }) };
      setSaved(order);
      return undefined;
    },
    onFailure: showFailure,
  });
  const fields = useWatch({ control: purchase.form.control }) as PurchaseFields;
  if (outcome && isStale(outcome, fields)) setOutcome(undefined);
  const quantity = parseQuantity(fields.totalQuantity);
  /** The order that was placed without a price. Another quantity begins another order. */
  const saved = lastSaved?.totalQuantity === quantity ? lastSaved : undefined;
  return { ...purchase, quantity, price, outcome, saved };
}
