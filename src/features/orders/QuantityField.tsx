import { useWatch, type UseFormReturn } from 'react-hook-form';
import { SPEC_MESSAGES } from '../../contract/specMessages';
import { formatWithCommas } from '../../contract/formatWithCommas';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { Control } from '../../ui/fieldStyle';
import { parseWholeNumber } from '../../ui/fieldRules';
import { isInRange, nearestInRange, findQuantityError, describeRange, type PricedStock } from './orderRules';
import { WarningRow } from './purchaseStyle';
import { CratePicks, QuantityStepper } from './QuantityStepper';
import type { PurchaseFields } from './usePurchaseForm';

type Props = { stock: PricedStock; form: UseFormReturn<PurchaseFields> };
type WarningProps = { suggestion: number | undefined; onChange: (quantity: number) => void };

/** Warns of a quantity out of range, but does not block the form (specification A.5). */
function RangeWarning({ suggestion, onChange }: WarningProps) {
  return (
    <WarningRow>
      <span>{SPEC_MESSAGES.quantityRange}</span>
      {suggestion !== undefined && (
        <Button onClick={() => onChange(suggestion)}>{`Change to ${formatWithCommas(suggestion)}`}</Button>
      )}
    </WarningRow>
  );
}

/** @param stock what this customer can order now */
export function QuantityField({ stock, form }: Props) {
  const typed = useWatch({ control: form.control, name: 'totalQuantity' });
  const quantity = parseWholeNumber(typed);
  const isEmpty = typed.trim() === '';
  const formError = form.formState.errors.totalQuantity?.message;
  const change = (next: number) =>
    form.setValue('totalQuantity', String(next), { shouldDirty: true, shouldValidate: true });
  const applySuggestion = (next: number) => {
    change(next);
    form.setFocus('totalQuantity');
  };
  return (
    <Field
      label="Quantity"
      required
      hint={describeRange(stock)}
      error={isEmpty ? formError : (findQuantityError(typed) ?? formError)}
      warning={
        !isEmpty &&
        !isInRange(stock, quantity) && (
          <RangeWarning suggestion={nearestInRange(stock, quantity)} onChange={applySuggestion} />
        )
      }
    >
      {(control) => (
        <>
          <QuantityStepper stock={stock} quantity={quantity} onChange={change}>
            <Control
              inputMode="numeric"
              autoComplete="off"
              {...form.register('totalQuantity', { validate: findQuantityError })}
              {...control}
            />
          </QuantityStepper>
          <CratePicks stock={stock} quantity={quantity} onChange={change} />
        </>
      )}
    </Field>
  );
}
