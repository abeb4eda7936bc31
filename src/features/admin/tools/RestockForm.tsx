import { useEffect } from 'react';
import { useWatch } from 'react-hook-form';
import { useEditToolMutation } from '../../../api/apiSlice';
import type { Tool } from '../../../contract/entities';
import { formatWithCommas } from '../../../contract/formatWithCommas';
import { requiredField } from '../../../contract/specMessages';
import { notify } from '../../../feedback/notify';
import { drafts } from '../../../forms/drafts';
import { useSubmitForm } from '../../../forms/useSubmitForm';
import { FormField } from '../../../ui/Field';
import { Form } from '../../../ui/Form';
import { parseStockChange } from './toolChanges';

const LABEL = 'Change in stock';
const NOT_A_DIFFERENCE = 'Start with + or -, like +50 or -3.';

const BLANK = { stockChange: '' };

const stockChangeRules = {
  required: requiredField(LABEL),
  validate: (typed: string) => !Number.isNaN(parseStockChange(typed)) || NOT_A_DIFFERENCE,
};

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
    bodyOf: ({ stockChange }) => ({ stockChange: parseStockChange(stockChange) }),
    send: async (_fields, { body, key }) => {
      const { name, availableQuantity } = await editTool({ id: tool._id, change: body, key }).unwrap();
      notify.success(`${name}: ${formatWithCommas(availableQuantity)} in stock.`);
      return { leave: onDone };
    },
  });
  /**
   * Closing the form drops the idempotency key, unless an answer is awaited. If the same change is entered again later, it
   * counts as a new one.
   */
  useEffect(() => () => drafts.discard(draft), [draft]);
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
