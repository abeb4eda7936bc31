import { ok, type Answer, type Call } from './call';
import { allow, optionalText, text } from './form';
import { chargesOf } from './intentObject';
import { readLimit } from './listLimit';
import { findIntent } from './readIntent';
import { noSuch, Refusal } from './refusals';

/** Stripe names the parameter that has the unknown id. */
const namesParameter = (id: string) => (error: unknown) => {
  throw error instanceof Refusal ? noSuch('payment_intent', id, 'payment_intent') : error;
};

/** The charges of one intent, newest first: those that failed too. */
export async function listCharges(call: Call): Promise<Answer> {
  allow(call.form, ['payment_intent', 'limit', 'starting_after']);
  const id = text(call.form, 'payment_intent');
  const limit = readLimit(call.form);
  const after = optionalText(call.form, 'starting_after');
  const { row } = await findIntent({ ...call, id }).catch(namesParameter(id));
  const charges = chargesOf(row);
  const from = after === null ? 0 : charges.findIndex((charge) => charge.id === after) + 1;
  if (after !== null && from === 0) throw noSuch('charge', after, 'starting_after');
  const data = charges.slice(from, from + limit);
  return ok({ object: 'list', url: '/v1/charges', has_more: charges.length > from + limit, data });
}
