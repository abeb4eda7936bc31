import type { ReactNode } from 'react';
import styled from 'styled-components';
import { Spinner } from '../../ui/Spinner';
import { Grid, Item } from './cardStyle';

const Place = styled.div`
  position: relative;
`;

/** Over the skeleton, so that nothing moves when the cards come. */
const Over = styled.div`
  position: absolute;
  inset: 64px 0 auto;
  z-index: 1;
`;

type Props = { label: string; count: number; children: ReactNode };

/** As many cards as usually come, each with these skeletons. */
export const CardSkeletons = ({ label, count, children }: Props) => (
  <Place>
    <Over>
      <Spinner label={label} />
    </Over>
    <Grid aria-hidden="true">
      {Array.from({ length: count }, (_, index) => (
        <Item key={index}>{children}</Item>
      ))}
    </Grid>
  </Place>
);
