import { lazy, Suspense, type ComponentType } from 'react';
import { useListReviewsQuery } from '../../api/apiSlice';
import type { Review } from '../../contract/entities';
import { REVIEWS_IN_HTML } from '../../contract/limits';
import { useSession } from '../../session/hooks';
import { withOneRetry } from '../../ui/deferredComponent';
import { Notice } from '../../ui/Notice';
import { QueryView } from '../../ui/QueryView';
import { Skeleton } from '../../ui/Skeleton';
import { Cards } from './Cards';
import { CardSkeletons } from './CardSkeletons';
import { Body } from './cardStyle';
import { ReviewCard } from './ReviewCard';
import { Heading, Section } from './sectionStyle';

/** If this chunk does not load, an admin sees the reviews without buttons. */
const RemoveReview = lazy<ComponentType<{ review: Review }>>(() =>
  withOneRetry(() => import(/* webpackChunkName: "remove-review" */ './RemoveReview')).catch(() => ({
    default: () => null,
  })),
);

const renderCard = (review: Review) => <ReviewCard key={review._id} review={review} />;

const renderAdminCard = (review: Review) => (
  <ReviewCard key={review._id} review={review}>
    <Suspense fallback={null}>
      <RemoveReview review={review} />
    </Suspense>
  </ReviewCard>
);

const emptyNotice = (
  <Notice title="No reviews yet">
    <p>The first customers are still unpacking.</p>
  </Notice>
);

const skeletons = (
  <CardSkeletons label="Loading the reviews" count={3}>
    <Body>
      <Skeleton $height="120px" />
      <Skeleton $height="56px" $width="60%" />
    </Body>
  </CardSkeletons>
);

export function ReviewList() {
  const query = useListReviewsQuery();
  const { isAdmin } = useSession();
  return (
    <Section as="section" id="reviews" aria-labelledby="reviews-heading">
      <Heading id="reviews-heading" tabIndex={-1}>
        Latest client reviews
      </Heading>
      <QueryView query={query} loading={skeletons} empty={emptyNotice}>
        {(reviews) => <Cards rows={reviews} card={isAdmin ? renderAdminCard : renderCard} first={REVIEWS_IN_HTML} />}
      </QueryView>
    </Section>
  );
}
