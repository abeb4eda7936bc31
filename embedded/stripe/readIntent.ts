import { ok, type SandboxAnswer, type SandboxCall } from './call';
import { sameSecret } from './sandboxKeys';
import { allow } from './form';
import { shownTo, type IntentRow } from './intentObject';
import type { PaymentMethod } from './paymentMethods';
import { noSuch } from './stripeErrors';

/** An intent as it was at one moment, with the card that it has or is to have. */
export interface Found {
  row: IntentRow;
  /** Another one as soon as anybody has changed the intent. */
  version: string;
  method: PaymentMethod | null;
}

const FIND = {
  name: 'sandbox find',
  text: `
select i.id, i.client_secret as "clientSecret", i.status, i.amount::integer, i.currency, i.metadata, i.body,
  i.amount_received::integer as "amountReceived", i.payment_method_id as "paymentMethodId",
  i.charge_id as "chargeId", i.created_at as "createdAt", i.xmin::text as version, m.outcome, m.body as card
from sandbox_intents i left join sandbox_payment_methods m on m.id = coalesce($2, i.payment_method_id)
where i.id = $1`,
};

type Row = IntentRow & { version: string; outcome: PaymentMethod['outcome']; card: PaymentMethod['body'] | null };

/** With the publishable key, the client secret is what opens the intent; a wrong one is told nothing. */
export async function findIntent(call: SandboxCall, methodId: string | null = null): Promise<Found> {
  const { rows } = await call.db.$client.query<Row>({ ...FIND, values: [call.id, methodId] });
  const found = rows[0];
  const may = found && (call.caller === 'secret' || sameSecret(call.clientSecret, found.clientSecret));
  if (!may) throw noSuch('payment_intent', call.id, 'intent');
  const { version, outcome, card, ...row } = found;
  return { row, version, method: card && { outcome, body: card } };
}

export async function readIntent(call: SandboxCall): Promise<SandboxAnswer> {
  allow(call.form, ['client_secret']);
  const { row } = await findIntent(call);
  return ok(shownTo(call.caller, row));
}
