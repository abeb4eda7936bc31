import { lazy, Suspense, useMemo, useState, type ComponentType, type ReactNode } from 'react';
import styled from 'styled-components';
import { useListReviewsQuery } from '../../api/apiSlice';
import type { Review } from '../../contract/entities';
import { REVIEWS_IN_HTML } from '../../contract/limits';
import { useSession } from '../../session/hooks';
import { Button } from '../../ui/Button';
import { withOneRetry } from '../../ui/deferredComponent';
import { Notice } from '../../ui/Notice';
import { QueryView } from '../../ui/QueryView';
import { color, media, space } from '../../ui/theme';
import { Cards } from './Cards';
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

const SHOWN = 6;
const SHOWN_ON_PHONES = 3;

const Ground = styled.div`
  border-top: 1px solid ${color.line};
  background: ${color.surface};
`;

const Reviews = styled.div<{ $isCut: boolean }>`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space(5)};
  ${media.phone} {
    ul {
      grid-template-columns: minmax(0, 1fr);
    }
    li:nth-child(n + ${SHOWN_ON_PHONES + 1}) {
      display: ${({ $isCut }) => ($isCut ? 'none' : 'flex')};
    }
  }
  @media (scripting: none) {
    > button {
      display: none;
    }
  }
`;

function FirstReviews({ reviews, card }: { reviews: Review[]; card: (review: Review) => ReactNode }) {
  const [showsAll, setShowsAll] = useState(false);
  const shown = useMemo(() => (showsAll ? reviews : reviews.slice(0, SHOWN)), [reviews, showsAll]);
  return (
    <Reviews $isCut={!showsAll}>
      <Cards rows={shown} card={card} first={REVIEWS_IN_HTML} />
      {reviews.length > SHOWN_ON_PHONES && (
        <Button variant="outline" wide aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? 'Fewer reviews' : 'All reviews'}
        </Button>
      )}
    </Reviews>
  );
}

export function ReviewList() {
  const query = useListReviewsQuery();
  const { isAdmin } = useSession();
  return (
    <Ground>
      <Section as="section" id="reviews" aria-labelledby="reviews-heading">
        <Heading id="reviews-heading" tabIndex={-1}>
          Latest client reviews
        </Heading>
        <QueryView query={query} empty={emptyNotice}>
          {(reviews) => <FirstReviews reviews={reviews} card={isAdmin ? renderAdminCard : renderCard} />}
        </QueryView>
      </Section>
    </Ground>
  );
}
