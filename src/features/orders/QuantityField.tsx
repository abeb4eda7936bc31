import { useWatch, type UseFormReturn } from 'react-hook-form';
import type { Tool } from '../../contract/entities';
import { MESSAGES, requiredField, WORDS } from '../../contract/messages';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { fits, nearestThatFits, quantityOf, rangeSentence } from './orderRules';
import type { PurchaseFields } from './purchaseForm';
import { Offer } from './purchaseStyle';

type Props = { tool: Tool; form: UseFormReturn<PurchaseFields> };

/** Warns and offers what fits while one types; it does not stop anyone. */
function RangeWarning({ tool, form, quantity }: Props & { quantity: number }) {
  const instead = nearestThatFits(tool, quantity);
  const take = () => {
    form.setValue('totalQuantity', String(instead), { shouldDirty: true, shouldValidate: true });
    form.setFocus('totalQuantity');
  };
  return (
    <Offer>
      <span>{MESSAGES.quantityRange}</span>
      {instead !== undefined && <Button variant="quiet" onClick={take}>{`Order ${instead} instead`}</Button>}
    </Offer>
  );
}

export function QuantityField({ tool, form }: Props) {
  const quantity = quantityOf(useWatch({ control: form.control, name: 'totalQuantity' }));
  const label = 'Quantity';
  return (
    <Field
      label={label}
      required
      inputMode="numeric"
      autoComplete="off"
      hint={rangeSentence(tool)}
      error={form.formState.errors.totalQuantity?.message}
      warning={
        quantity > 0 && !fits(tool, quantity) ? <RangeWarning tool={tool} form={form} quantity={quantity} /> : undefined
      }
      {...form.register('totalQuantity', {
        required: requiredField(label),
        validate: (typed) => !Number.isNaN(quantityOf(typed)) || WORDS.wholeNumber,
      })}
    />
  );
}
