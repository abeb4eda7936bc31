import { useListReviewsQuery } from '../../api/apiSlice';
import type { Review } from '../../contract/entities';
import { Notice } from '../../ui/Notice';
import { QueryView } from '../../ui/QueryView';
import { useGrowing } from '../../ui/useGrowing';
import { ReviewSkeletons } from './CardSkeletons';
import { Grid } from './cardStyle';
import { ReviewCard } from './ReviewCard';
import { Heading, Section } from './sectionStyle';

const STEP = 24;

function Reviews({ reviews }: { reviews: Review[] }) {
  const { shown, sentinel } = useGrowing(reviews.length, STEP);
  return (
    <>
      <Grid>
        {reviews.slice(0, shown).map((review) => (
          <ReviewCard key={review._id} review={review} />
        ))}
      </Grid>
      {sentinel}
    </>
  );
}

const nothing = (
  <Notice title="No reviews yet">
    <p>The first customers are still unpacking.</p>
  </Notice>
);

export function ReviewList() {
  const reviews = useListReviewsQuery();
  return (
    <Section as="section" id="reviews" aria-labelledby="reviews-heading">
      <Heading id="reviews-heading">Client reviews</Heading>
      <QueryView query={reviews} loading={<ReviewSkeletons />} empty={nothing}>
        {(list) => <Reviews reviews={list} />}
      </QueryView>
    </Section>
  );
}
