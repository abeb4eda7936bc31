import { useMemo } from 'react';
import { useListReviewsQuery } from '../../api/apiSlice';
import type { Review } from '../../contract/entities';
import { formatCount } from '../../contract/formatCount';
import { ReviewSection } from './ReviewList';
import { Stars } from './Stars';
import { LinkLine } from './toolPageStyle';

const SECTION_ID = 'tool-reviews';

const withoutTool = ({ toolId: _, toolName: __, ...review }: Review) => review;

/** Always takes a line, so that nothing moves when the reviews are loaded. */
export function ToolRating({ id }: { id: string }) {
  const { data: reviews } = useListReviewsQuery(id);
  if (!reviews?.length) return <LinkLine>{reviews ? 'No reviews yet' : '\u00a0'}</LinkLine>;
  const mean = reviews.reduce((sum, { ratings }) => sum + ratings, 0) / reviews.length;
  return (
    <LinkLine>
      <Stars rating={Number(mean.toFixed(1))} />
      <a href={`#${SECTION_ID}`}>{formatCount(reviews.length, 'review')}</a>
    </LinkLine>
  );
}

/** The reviews of the tool that is open. */
export function ToolReviews({ id }: { id: string }) {
  const query = useListReviewsQuery(id);
  const reviews = useMemo(() => query.data?.map(withoutTool), [query.data]);
  if (!reviews?.length) return null;
  return <ReviewSection id={SECTION_ID} title="Reviews of this tool" query={{ ...query, data: reviews }} />;
}
