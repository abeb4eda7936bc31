import styled from 'styled-components';
import { Content } from '../../ui/page';
import { media, size, space } from '../../ui/theme';

export const Section = styled(Content)`
  padding-block: ${space(12)};
  ${media.tablet} {
    padding-block: ${space(18)};
  }
`;

export const Heading = styled.h2`
  margin-bottom: ${space(6)};
  font-size: ${size.h2};
`;
