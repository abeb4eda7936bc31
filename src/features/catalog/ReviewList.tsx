import { useListReviewsQuery } from '../../api/apiSlice';
import type { Review } from '../../contract/entities';
import { REVIEWS_IN_HTML } from '../../contract/limits';
import { Notice } from '../../ui/Notice';
import { QueryView } from '../../ui/QueryView';
import { Cards } from './Cards';
import { ReviewSkeletons } from './CardSkeletons';
import { ReviewCard } from './ReviewCard';
import { Heading, Section } from './sectionStyle';

const card = (review: Review) => <ReviewCard key={review._id} review={review} />;

const nothing = (
  <Notice title="No reviews yet">
    <p>The first customers are still unpacking.</p>
  </Notice>
);

export function ReviewList() {
  const query = useListReviewsQuery();
  return (
    <Section as="section" id="reviews" aria-labelledby="reviews-heading">
      <Heading id="reviews-heading">Client reviews</Heading>
      <QueryView query={query} loading={<ReviewSkeletons />} empty={nothing}>
        {(reviews) => <Cards rows={reviews} card={card} first={REVIEWS_IN_HTML} />}
      </QueryView>
    </Section>
  );
}
