import styled, { css } from 'styled-components';
import { Content } from './page';
import { color, media, radius, size, space, touchTarget } from './theme';

export const FooterRoot = styled.footer`
  background: ${color.night};
  color: ${color.nightInk};
  --focus: ${color.nightInk};
  a {
    color: ${color.nightInk};
  }
  a:hover {
    color: ${color.nightEmber};
  }
`;

export const Columns = styled(Content)`
  display: grid;
  gap: ${space(7)};
  padding-block: ${space(9)};
  ${media.tablet} {
    grid-template-columns: 1fr 1fr;
  }
  ${media.wide} {
    grid-template-columns: 4fr 4fr 5fr;
  }
`;

export const Column = styled.div`
  display: grid;
  align-content: start;
  gap: ${space(3)};
  h2 {
    font-size: ${size.lead};
  }
`;

const link = css`
  display: inline-flex;
  align-items: center;
  min-height: 32px;
  @media (pointer: coarse) {
    min-height: ${touchTarget};
  }
`;

export const Address = styled.address`
  display: grid;
  gap: ${space(1)};
  color: ${color.nightMuted};
  font-style: normal;
  a {
    ${link}
    justify-self: start;
  }
`;

export const Links = styled.ul`
  a {
    ${link}
  }
`;

export const Icons = styled.ul`
  display: flex;
  gap: ${space(2)};
  margin-inline-start: -${space(2.5)};
  a {
    display: grid;
    place-items: center;
    width: ${touchTarget};
    height: ${touchTarget};
    border-radius: ${radius};
  }
`;

export const SmallText = styled.p`
  color: ${color.nightMuted};
  font-size: ${size.small};
`;

export const BottomBar = styled.div`
  padding-block: ${space(5)};
  border-top: 1px solid ${color.muted};
`;

export const NewsletterForm = styled.form`
  display: grid;
  gap: ${space(2)};
  > div {
    display: flex;
    gap: ${space(2)};
  }
  label {
    font-weight: 600;
  }
  input {
    background: ${color.surface};
    color: ${color.ink};
  }
`;
