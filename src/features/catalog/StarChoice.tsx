import { Hidden } from '../../ui/page';
import { Choice, Stars } from './ratingStyle';
import { places, STAR } from './Stars';

type Props = { value: number; onChoose: (stars: number) => void };

/** One stop for the Tab key; the arrows move between the stars. */
export function StarChoice({ value, onChoose }: Props) {
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
