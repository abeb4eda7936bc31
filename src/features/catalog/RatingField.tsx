import { useWatch, type UseFormReturn } from 'react-hook-form';
import { MAX_RATING, MIN_RATING } from '../../contract/limits';
import { PAGE_MESSAGES } from '../../contract/pageMessages';
import { Field } from '../../ui/Field';
import { wholeNumberRules } from '../../ui/fieldRules';
import { Control } from '../../ui/fieldStyle';
import { parseRating } from './parseRating';
import type { ReviewFields } from './ReviewPreview';
import { NumberAndStars, StarLabel, StarRow } from './ratingStyle';
import { VisuallyHidden } from '../../ui/page';
import { STAR_VALUES, STAR_PATH } from './Stars';

type Props = { value: number; onChoose: (stars: number) => void };

/** Radio buttons, so that Tab stops only once, and the arrow keys move between the stars. */
function StarChoice({ value, onChoose }: Props) {
  return (
    <StarRow role="radiogroup" aria-label="Stars">
      {STAR_VALUES.map((stars) => (
        <StarLabel key={stars}>
          <input type="radio" name="stars" checked={stars === value} onChange={() => onChoose(stars)} />
          <svg viewBox="0 0 24 24" aria-hidden="true" data-lit={stars <= value}>
            <path d={STAR_PATH} />
          </svg>
          <VisuallyHidden>{stars === 1 ? '1 star' : `${stars} stars`}</VisuallyHidden>
        </StarLabel>
      ))}
    </StarRow>
  );
}

const rules = {
  ...wholeNumberRules('Ratings', { from: MIN_RATING, to: MAX_RATING }),
  required: PAGE_MESSAGES.ratingRequired,
};

/** The customer can type a number or choose stars. Both set the same field. */
export function RatingField({ form }: { form: UseFormReturn<ReviewFields> }) {
  const typed = useWatch({ control: form.control, name: 'ratings' });
  const choose = (stars: number) =>
    form.setValue('ratings', String(stars), { shouldDirty: true, shouldValidate: true, shouldTouch: true });
  return (
    <Field
      label="Ratings"
      required
      hint={`A whole number from ${MIN_RATING} to ${MAX_RATING}. You can also choose the stars.`}
      error={form.formState.errors.ratings?.message}
    >
      {(control) => (
        <NumberAndStars>
          <Control
            type="number"
            min={MIN_RATING}
            max={MAX_RATING}
            step={1}
            {...form.register('ratings', rules)}
            {...control}
          />
          <StarChoice value={parseRating(typed)} onChoose={choose} />
        </NumberAndStars>
      )}
    </Field>
  );
}
