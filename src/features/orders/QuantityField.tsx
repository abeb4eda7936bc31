import { useWatch, type UseFormReturn } from 'react-hook-form';
import { SPEC_MESSAGES, requiredField } from '../../contract/specMessages';
import { formatWithCommas } from '../../contract/formatWithCommas';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { Control } from '../../ui/fieldStyle';
import { parseWholeNumber } from '../../ui/fieldRules';
import { isInRange, nearestInRange, findQuantityError, describeRange, type PricedStock } from './orderRules';
import { WarningRow } from './purchaseStyle';
import { CratePicks, QuantityStepper } from './QuantityStepper';

export interface PurchaseFields {
  totalQuantity: string;
  address: string;
  phone: string;
  savesAddress: boolean;
}

type Props = { stock: PricedStock; form: UseFormReturn<PurchaseFields> };
type WarningProps = { isErrorShown: boolean; suggestion?: number | undefined; onChange: (quantity: number) => void };

/**
 * Warns of a quantity out of range, but does not block the form (specification A.5). Leaves out the sentence if the
 * field's error says the same.
 */
function RangeWarning({ isErrorShown, suggestion, onChange }: WarningProps) {
  return (
    <WarningRow>
      {!isErrorShown && <span>{SPEC_MESSAGES.quantityRange}</span>}
      {suggestion !== undefined && (
        <Button onClick={() => onChange(suggestion)}>{`Change to ${formatWithCommas(suggestion)}`}</Button>
      )}
    </WarningRow>
  );
}

const LABEL = 'Quantity';

/** @param stock what this customer can order now */
export function QuantityField({ stock, form }: Props) {
  const quantity = parseWholeNumber(useWatch({ control: form.control, name: 'totalQuantity' }));
  const error = form.formState.errors.totalQuantity?.message;
  const isErrorShown = error === SPEC_MESSAGES.quantityRange;
  const suggestion = nearestInRange(stock, quantity);
  const hasWarning =
    !Number.isNaN(quantity) && !isInRange(stock, quantity) && !(isErrorShown && suggestion === undefined);
  const change = (next: number) =>
    form.setValue('totalQuantity', String(next), { shouldDirty: true, shouldValidate: true });
  const applySuggestion = (next: number) => {
    change(next);
    form.setFocus('totalQuantity');
  };
  const input = form.register('totalQuantity', { required: requiredField(LABEL), validate: findQuantityError });
  return (
    <Field
      label={LABEL}
      required
      hint={describeRange(stock)}
      error={error}
      warning={
        hasWarning && <RangeWarning isErrorShown={isErrorShown} suggestion={suggestion} onChange={applySuggestion} />
      }
    >
      {(control) => (
        <>
          <QuantityStepper stock={stock} quantity={quantity} onChange={change}>
            <Control inputMode="numeric" autoComplete="off" {...input} {...control} />
          </QuantityStepper>
          <CratePicks stock={stock} quantity={quantity} onChange={change} />
        </>
      )}
    </Field>
  );
}
