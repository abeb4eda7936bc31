import { lazy, Suspense, useMemo, useState, type ComponentType } from 'react';
import styled from 'styled-components';
import { useListReviewsQuery } from '../../api/apiSlice';
import type { Review } from '../../contract/entities';
import { REVIEWS_IN_HTML } from '../../contract/limits';
import { useSession } from '../../session/hooks';
import { Button } from '../../ui/Button';
import { withOneRetry } from '../../ui/deferredComponent';
import { Notice } from '../../ui/Notice';
import { QueryView, type Query } from '../../ui/QueryView';
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
  }
  @media (max-width: 639.98px) and (scripting: enabled) {
    li:nth-child(n + ${SHOWN_ON_PHONES + 1}) {
      display: ${({ $isCut }) => ($isCut ? 'none' : 'flex')};
    }
  }
  > button {
    justify-self: start;
    @media (scripting: none) {
      display: none;
    }
  }
`;

/** Without scripts, which the button needs, all reviews of the server's HTML are shown. */
function FirstReviews({ reviews }: { reviews: Review[] }) {
  const { isAdmin } = useSession();
  const card = isAdmin ? renderAdminCard : renderCard;
  const [showsAll, setShowsAll] = useState(false);
  const shown = useMemo(() => (showsAll ? reviews : reviews.slice(0, SHOWN)), [reviews, showsAll]);
  return (
    <Reviews $isCut={!showsAll}>
      <Cards rows={shown} card={card} first={REVIEWS_IN_HTML} />
      {reviews.length > SHOWN && (
        <noscript>
          <Cards rows={reviews.slice(SHOWN, REVIEWS_IN_HTML)} card={card} />
        </noscript>
      )}
      {reviews.length > SHOWN_ON_PHONES && (
        <Button variant="outline" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? 'Fewer reviews' : 'All reviews'}
        </Button>
      )}
    </Reviews>
  );
}

type Props = { id: string; title: string; query: Query<Review[]> };

export const ReviewSection = ({ id, title, query }: Props) => (
  <Ground>
    <Section as="section" id={id} aria-labelledby={`${id}-heading`}>
      <Heading id={`${id}-heading`} tabIndex={-1}>
        {title}
      </Heading>
      <QueryView query={query} empty={emptyNotice}>
        {(reviews) => <FirstReviews reviews={reviews} />}
      </QueryView>
    </Section>
  </Ground>
);

export const ReviewList = () => (
  <ReviewSection id="reviews" title="Latest client reviews" query={useListReviewsQuery()} />
);
