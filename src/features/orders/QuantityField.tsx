import { useWatch, type UseFormReturn } from 'react-hook-form';
import type { Tool } from '../../contract/entities';
import { SPEC_MESSAGES, requiredField } from '../../contract/specMessages';
import { grouped } from '../../contract/numbers';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { wholeOf } from '../../ui/fieldRules';
import { fits, nearestThatFits, quantityError, rangeSentence } from './orderRules';
import { Offer } from './purchaseStyle';

export interface PurchaseFields {
  address: string;
  phone: string;
  totalQuantity: string;
}

type Props = { tool: Tool; form: UseFormReturn<PurchaseFields> };
type WarningProps = { form: Props['form']; isTold: boolean; instead?: number };

/** Warns, unless the field's error has said it, and offers what fits while one types; it does not stop anyone. */
function RangeWarning({ form, isTold, instead }: WarningProps) {
  const take = () => {
    form.setValue('totalQuantity', String(instead), { shouldDirty: true, shouldValidate: true });
    form.setFocus('totalQuantity');
  };
  return (
    <Offer>
      {!isTold && <span>{SPEC_MESSAGES.quantityRange}</span>}
      {instead !== undefined && <Button variant="quiet" onClick={take}>{`Order ${grouped(instead)} instead`}</Button>}
    </Offer>
  );
}

export function QuantityField({ tool, form }: Props) {
  const quantity = wholeOf(useWatch({ control: form.control, name: 'totalQuantity' }));
  const error = form.formState.errors.totalQuantity?.message;
  const isTold = error === SPEC_MESSAGES.quantityRange;
  const instead = nearestThatFits(tool, quantity);
  const warns = !Number.isNaN(quantity) && !fits(tool, quantity) && !(isTold && instead === undefined);
  const label = 'Quantity';
  return (
    <Field
      label={label}
      required
      inputMode="numeric"
      autoComplete="off"
      hint={rangeSentence(tool)}
      error={error}
      warning={warns && <RangeWarning form={form} isTold={isTold} instead={instead} />}
      {...form.register('totalQuantity', {
        required: requiredField(label),
        validate: quantityError,
      })}
    />
  );
}
