import styled from 'styled-components';
import { color, contentWidth, media, radius, size, space } from './theme';

/** Text only for screen readers. */
export const VisuallyHidden = styled.span`
  position: absolute;
  width: 1px;
  height: 1px;
  margin: -1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
`;

export const Content = styled.div`
  width: 100%;
  max-width: ${contentWidth};
  margin-inline: auto;
  padding-inline: ${space(4)};
  ${media.tablet} {
    padding-inline: ${space(6)};
  }
`;

export const Page = styled(Content)`
  padding-block: ${space(8)} ${space(16)};
  ${media.tablet} {
    padding-block: ${space(12)} ${space(24)};
  }
`;

export const PageTitle = styled.h1`
  font-size: ${size.page};
`;

export const Stack = styled.div<{ $gap?: number }>`
  display: grid;
  gap: ${({ $gap = 4 }) => space($gap)};
  grid-template-columns: minmax(0, 1fr);
`;

export const Card = styled.div<{ $narrow?: boolean }>`
  width: 100%;
  max-width: ${({ $narrow }) => ($narrow ? '440px' : 'none')};
  margin-inline: ${({ $narrow }) => ($narrow ? 'auto' : '0')};
  padding: ${space(6)};
  border: 1px solid ${color.line};
  border-radius: ${radius};
  background: ${color.surface};
`;

export const MutedText = styled.p`
  color: ${color.muted};
`;

/** Screen readers announce it when it appears. For errors that do not belong to one field. */
export const ErrorText = styled.p.attrs({ role: 'alert' })`
  color: ${color.bad};
  font-weight: 600;
`;

export const SuccessText = styled.span`
  color: ${color.good};
  font-weight: 600;
`;

export const WaitingText = styled.span`
  color: ${color.amber};
`;
