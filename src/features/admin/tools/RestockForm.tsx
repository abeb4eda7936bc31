import { useEffect } from 'react';
import { useWatch } from 'react-hook-form';
import { useEditToolMutation } from '../../../api/apiSlice';
import type { Tool } from '../../../contract/entities';
import { formatWithCommas } from '../../../contract/formatWithCommas';
import { failureOf } from '../../../contract/problem';
import { requiredField } from '../../../contract/specMessages';
import { notify } from '../../../feedback/notify';
import { drafts } from '../../../forms/drafts';
import { useSubmitForm } from '../../../forms/useSubmitForm';
import { FormField } from '../../../ui/Field';
import { Form } from '../../../ui/Form';
import { parseStockChange } from './toolChanges';

const LABEL = 'Change in stock';
const NO_REPLY = "We didn't get a reply. Press Change stock again. The stock won't change twice.";
const NOT_A_DIFFERENCE = 'Start with + or -, like +50 or -3.';

const BLANK = { stockChange: '' };

const stockChangeRules = {
  required: requiredField(LABEL),
  validate: (typed: string) => !Number.isNaN(parseStockChange(typed)) || NOT_A_DIFFERENCE,
};

/** The promise of `NO_REPLY` is true, because a second try sends the same idempotency key, which the draft stores. */
const explainMissingReply = (failure: unknown) => (failureOf(failure).kind === 'lost' ? NO_REPLY : undefined);

function stockHint(available: number, change: number): string {
  const now = `${formatWithCommas(available)} in stock now`;
  return Number.isNaN(change)
    ? `${now}. Enter +50 to add 50.`
    : `${now}, ${formatWithCommas(available + change)} after this change.`;
}

export function RestockForm({ tool, onDone }: { tool: Tool; onDone: () => void }) {
  const [editTool] = useEditToolMutation();
  const draft = `restock/${tool._id}`;
  const { form, busy, error, submit } = useSubmitForm({
    defaults: BLANK,
    draft,
    send: async ({ stockChange }, keyFor) => {
      const change = { stockChange: parseStockChange(stockChange) };
      const { name, availableQuantity } = await editTool({
        id: tool._id,
        change,
        key: keyFor(change),
      }).unwrap();
      notify.success(`${name}: ${formatWithCommas(availableQuantity)} in stock.`);
      return { leave: onDone };
    },
    onFailure: explainMissingReply,
  });
  /** Closing the form drops the idempotency key. If the same change is entered again later, it counts as a new one. */
  useEffect(() => () => drafts.remove(draft), [draft]);
  const { setFocus, control } = form;
  useEffect(() => setFocus('stockChange'), [setFocus]);
  const change = parseStockChange(useWatch({ control, name: 'stockChange' }));

  return (
    <Form label={`Restock ${tool.name}`} action="Change stock" busy={busy} error={error} onSubmit={submit}>
      <FormField
        form={form}
        name="stockChange"
        label={LABEL}
        placeholder="+50"
        autoComplete="off"
        hint={stockHint(tool.availableQuantity, change)}
        rules={stockChangeRules}
      />
    </Form>
  );
}
