import type { ReactNode } from 'react';
import styled from 'styled-components';
import { Spinner } from '../../ui/Spinner';
import { Grid, CardItem } from './cardStyle';

const Wrapper = styled.div`
  position: relative;
`;

/** Overlaps the skeletons and takes no space, so that nothing moves when the cards are loaded. */
const SpinnerOverlay = styled.div`
  position: absolute;
  inset: 64px 0 auto;
  z-index: 1;
`;

type Props = { label: string; count: number; children: ReactNode };

export const CardSkeletons = ({ label, count, children }: Props) => (
  <Wrapper>
    <SpinnerOverlay>
      <Spinner label={label} />
    </SpinnerOverlay>
    <Grid aria-hidden="true">
      {Array.from({ length: count }, (_, index) => (
        <CardItem key={index}>{children}</CardItem>
      ))}
    </Grid>
  </Wrapper>
);
