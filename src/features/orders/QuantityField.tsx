import { useWatch, type UseFormReturn } from 'react-hook-form';
import type { Tool } from '../../contract/entities';
import { SPEC_MESSAGES, requiredField } from '../../contract/specMessages';
import { formatWithCommas } from '../../contract/formatWithCommas';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { parseWholeNumber } from '../../ui/fieldRules';
import { isInRange, nearestInRange, quantityError, rangeSentence } from './orderRules';
import { Offer } from './purchaseStyle';

export interface PurchaseFields {
  address: string;
  phone: string;
  totalQuantity: string;
}

type Props = { tool: Tool; form: UseFormReturn<PurchaseFields> };
type WarningProps = { form: Props['form']; isErrorShown: boolean; suggestion?: number };

/** Repeats no sentence that the field's error shows already. A warning never blocks the form (A.5). */
function RangeWarning({ form, isErrorShown, suggestion }: WarningProps) {
  const applySuggestion = () => {
    form.setValue('totalQuantity', String(suggestion), { shouldDirty: true, shouldValidate: true });
    form.setFocus('totalQuantity');
  };
  return (
    <Offer>
      {!isErrorShown && <span>{SPEC_MESSAGES.quantityRange}</span>}
      {suggestion !== undefined && (
        <Button variant="quiet" onClick={applySuggestion}>{`Change to ${formatWithCommas(suggestion)}`}</Button>
      )}
    </Offer>
  );
}

export function QuantityField({ tool, form }: Props) {
  const quantity = parseWholeNumber(useWatch({ control: form.control, name: 'totalQuantity' }));
  const error = form.formState.errors.totalQuantity?.message;
  const isErrorShown = error === SPEC_MESSAGES.quantityRange;
  const suggestion = nearestInRange(tool, quantity);
  const hasWarning =
    !Number.isNaN(quantity) && !isInRange(tool, quantity) && !(isErrorShown && suggestion === undefined);
  const label = 'Quantity';
  return (
    <Field
      label={label}
      required
      inputMode="numeric"
      autoComplete="off"
      hint={rangeSentence(tool)}
      error={error}
      warning={hasWarning && <RangeWarning form={form} isErrorShown={isErrorShown} suggestion={suggestion} />}
      {...form.register('totalQuantity', {
        required: requiredField(label),
        validate: quantityError,
      })}
    />
  );
}
