import styled from 'styled-components';
import { Skeleton } from '../../ui/Skeleton';
import { Spinner } from '../../ui/Spinner';
import { Body, Grid, Item } from './cardStyle';

const Place = styled.div`
  position: relative;
`;

/** Over the skeleton, so that nothing moves when the cards come. */
const Over = styled.div`
  position: absolute;
  inset: 64px 0 auto;
  z-index: 1;
`;

const cells = (count: number) => Array.from({ length: count }, (_, index) => index);

export function ToolSkeletons() {
  return (
    <Place>
      <Over>
        <Spinner label="Loading the tools" />
      </Over>
      <Grid aria-hidden="true">
        {cells(6).map((cell) => (
          <Item key={cell}>
            <Skeleton $height="auto" $ratio="4 / 3" />
            <Body>
              <Skeleton $height="27px" $width="70%" />
              <Skeleton $height="25px" $width="40%" />
              <Skeleton $height="48px" />
              <Skeleton $height="37px" />
              <Skeleton $height="44px" />
            </Body>
          </Item>
        ))}
      </Grid>
    </Place>
  );
}

export function ReviewSkeletons() {
  return (
    <Place>
      <Over>
        <Spinner label="Loading the reviews" />
      </Over>
      <Grid aria-hidden="true">
        {cells(3).map((cell) => (
          <Item key={cell}>
            <Body>
              <Skeleton $height="120px" />
              <Skeleton $height="56px" $width="60%" />
            </Body>
          </Item>
        ))}
      </Grid>
    </Place>
  );
}
