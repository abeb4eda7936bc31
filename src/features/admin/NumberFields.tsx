import { useWatch, type UseFormReturn } from 'react-hook-form';
import { MAX_PRICE, MAX_QUANTITY } from '../../contract/limits';
import { PAGE_MESSAGES } from '../../contract/pageMessages';
import { wholeRules } from '../../ui/fieldRules';
import { FormField } from '../../ui/Field';
import { Row } from '../../ui/formStyle';
import { isShort, type ToolFields } from './toolFields';

/** A minimum above the stock is odd and allowed: more may be on its way. */
export function NumberFields({ form }: { form: UseFormReturn<ToolFields> }) {
  const short = isShort(useWatch({ control: form.control }) as ToolFields);
  const number = { form, inputMode: 'numeric', autoComplete: 'off' } as const;
  return (
    <>
      <FormField
        {...number}
        name="price"
        label="Price"
        hint="In whole US dollars a piece."
        rules={wholeRules('Price', { from: 1, to: MAX_PRICE, fraction: PAGE_MESSAGES.wholeDollars })}
      />
      <Row>
        <FormField
          {...number}
          name="minimumOrderQuantity"
          label="Minimum order quantity"
          warning={short ? PAGE_MESSAGES.minimumAboveAvailable : undefined}
          rules={wholeRules('Minimum order quantity', { from: 1, to: MAX_QUANTITY })}
        />
        <FormField
          {...number}
          name="availableQuantity"
          label="Available quantity"
          rules={wholeRules('Available quantity', { from: 0, to: MAX_QUANTITY })}
        />
      </Row>
    </>
  );
}
