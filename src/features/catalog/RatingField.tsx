import { useWatch, type UseFormReturn } from 'react-hook-form';
import { MAX_RATING, MIN_RATING } from '../../contract/limits';
import { Field } from '../../ui/Field';
import { wholeOf, wholeRules } from '../../ui/fieldRules';
import { Control } from '../../ui/fieldStyle';
import type { ReviewFields } from './ReviewPreview';
import { Pair, Choice, Stars } from './ratingStyle';
import { Hidden } from '../../ui/page';
import { places, STAR } from './Stars';

type Props = { value: number; onChoose: (stars: number) => void };

/** One stop for the Tab key; the arrows move between the stars. */
function StarChoice({ value, onChoose }: Props) {
  return (
    <Stars role="radiogroup" aria-label="Stars">
      {places.map((place) => (
        <Choice key={place}>
          <input type="radio" name="stars" checked={place === value} onChange={() => onChoose(place)} />
          <svg viewBox="0 0 24 24" aria-hidden="true" data-lit={place <= value}>
            <path d={STAR} />
          </svg>
          <Hidden>{place === 1 ? '1 star' : `${place} stars`}</Hidden>
        </Choice>
      ))}
    </Stars>
  );
}

const rules = wholeRules('Ratings', { from: MIN_RATING, to: MAX_RATING });

/** A number to type and stars to choose: two ways to the same field. */
export function RatingField({ form }: { form: UseFormReturn<ReviewFields> }) {
  const typed = useWatch({ control: form.control, name: 'ratings' });
  const choose = (stars: number) =>
    form.setValue('ratings', String(stars), { shouldDirty: true, shouldValidate: true, shouldTouch: true });
  return (
    <Field
      label="Ratings"
      required
      hint={`From ${MIN_RATING} to ${MAX_RATING}: type the number or choose the stars.`}
      error={form.formState.errors.ratings?.message}
    >
      {(control) => (
        <Pair>
          <Control
            type="number"
            min={MIN_RATING}
            max={MAX_RATING}
            step={1}
            {...form.register('ratings', rules)}
            {...control}
          />
          <StarChoice value={wholeOf(typed)} onChoose={choose} />
        </Pair>
      )}
    </Field>
  );
}
