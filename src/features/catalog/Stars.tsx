import styled from 'styled-components';
import { MAX_RATING } from '../../contract/limits';

const Row = styled.span`
  display: inline-flex;
`;

export const STAR_PATH = 'm12 2.5 2.9 6.2 6.6.8-4.9 4.6 1.3 6.7L12 17.5l-5.9 3.3 1.3-6.7L2.5 9.5l6.6-.8z';
export const STAR_VALUES = Array.from({ length: MAX_RATING }, (_, index) => index + 1);

export function Stars({ rating }: { rating: number }) {
  return (
    <Row role="img" aria-label={`${rating} of ${MAX_RATING} stars`}>
      {STAR_VALUES.map((value) => (
        <svg
          key={value}
          width="18"
          height="18"
          viewBox="0 0 24 24"
          fill={value <= rating ? 'currentColor' : 'none'}
          stroke="currentColor"
          strokeWidth="1.5"
        >
          <path d={STAR_PATH} />
        </svg>
      ))}
    </Row>
  );
}
