import { useWatch, type Control } from 'react-hook-form';
import { useSession } from '../../session/hooks';
import { authorName } from '../../contract/displayName';
import { Preview } from '../../ui/Form';
import { useDebouncedValue } from '../../ui/useDebouncedValue';
import { parseRating } from './parseRating';
import { ReviewCard } from './ReviewCard';
import type { BoughtTool } from './useBoughtTools';

export interface ReviewFields {
  description: string;
  ratings: string;
  img: string;
  toolId: string;
}

type Props = { control: Control<ReviewFields>; bought: BoughtTool[] };

export function ReviewPreview({ control, bought }: Props) {
  const name = authorName(useSession());
  const { description, ratings, img, toolId } = useWatch({ control }) as ReviewFields;
  const review = {
    _id: 'preview',
    name,
    description: description.trim() || 'Your review will appear here.',
    ratings: parseRating(ratings),
    img: useDebouncedValue(img),
    ...bought.find((tool) => tool.toolId === toolId),
  };
  return (
    <Preview>
      <ReviewCard review={review} />
    </Preview>
  );
}
