import { useMemo } from 'react';
import { useListReviewsQuery } from '../../api/apiSlice';
import type { Review } from '../../contract/entities';
import { ReviewSection } from './ReviewList';

const withoutTool = ({ toolId: _, toolName: __, ...review }: Review) => review;

/** The reviews of the tool that is open. */
export function ToolReviews({ id }: { id: string }) {
  const query = useListReviewsQuery(id);
  const reviews = useMemo(() => query.data?.map(withoutTool), [query.data]);
  if (!reviews?.length) return null;
  return <ReviewSection id="tool-reviews" title="Reviews of this tool" query={{ ...query, data: reviews }} />;
}
