import { useWatch, type UseFormReturn } from 'react-hook-form';
import { MAX_QUANTITY } from '../../../contract/limits';
import { PAGE_MESSAGES } from '../../../contract/pageMessages';
import { isFraction, priceRules, wholeNumberRules } from '../../../ui/fieldRules';
import { FormField } from '../../../ui/Field';
import { FieldRow } from '../../../ui/formStyle';
import { isMinimumAboveStock, minimumRules, type ToolFields } from './toolFields';

/** A minimum above the stock is only a warning and no error, because more stock may be on its way. */
export function NumberFields({ form }: { form: UseFormReturn<ToolFields> }) {
  const fields = useWatch({ control: form.control }) as ToolFields;
  const isAboveStock = isMinimumAboveStock(fields);
  const hasCents = !form.formState.errors.price && isFraction(fields.price);
  const numberProps = { form, inputMode: 'numeric', autoComplete: 'off' } as const;
  return (
    <>
      <FormField
        {...numberProps}
        name="price"
        label="Price"
        hint="Price per piece, in whole dollars."
        warning={hasCents ? PAGE_MESSAGES.wholeDollars : undefined}
        rules={priceRules('Price')}
      />
      <FieldRow>
        <FormField
          {...numberProps}
          name="minimumOrderQuantity"
          label="Minimum order quantity"
          warning={isAboveStock ? PAGE_MESSAGES.minimumAboveAvailable : undefined}
          rules={minimumRules}
        />
        <FormField
          {...numberProps}
          name="availableQuantity"
          label="Available quantity"
          rules={wholeNumberRules('Available quantity', { from: 0, to: MAX_QUANTITY })}
        />
      </FieldRow>
    </>
  );
}
