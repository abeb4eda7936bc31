import type { ReactNode } from 'react';
import styled from 'styled-components';
import { DateTime } from './DateTime';
import { color, font, media, size, space } from './theme';

/** A list of labels with values. With `$labelWidth`, each label is beside its value on wide screens. */
export const Facts = styled.dl<{ $labelWidth?: string }>`
  display: grid;
  align-content: start;
  gap: ${space(3)};
  > div {
    display: grid;
    column-gap: ${space(4)};
    min-width: 0;
  }
  dt {
    color: ${color.muted};
    font-size: ${size.small};
  }
  dd {
    overflow-wrap: anywhere;
    white-space: pre-line;
  }
  code {
    font-family: ${font.mono};
    font-size: ${size.small};
    user-select: all;
  }
  ${media.tablet} {
    > div {
      grid-template-columns: ${({ $labelWidth }) => ($labelWidth ? `${$labelWidth} minmax(0, 1fr)` : 'none')};
    }
  }
`;

/** `dir="auto"`, because a value can be a customer's text in a right-to-left script. */
export const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd dir="auto">{children}</dd>
  </div>
);

/** Left out if the time is unknown. */
export const TimeFact = ({ label, at }: { label: string; at: string | null | undefined }) =>
  at && (
    <Fact label={label}>
      <DateTime at={at} />
    </Fact>
  );
