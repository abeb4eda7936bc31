import { useEffect, useRef } from 'react';
import styled from 'styled-components';
import { ButtonLink } from '../../ui/Button';
import { Card, MutedText, Stack } from '../../ui/page';
import { size } from '../../ui/theme';

const Title = styled.h2`
  font-size: ${size.title};
`;

/**
 * Replaces the form when the tool is no longer for sale. Takes the focus if the customer has just pressed the form's
 * button, which is gone now.
 */
export function NotForSale({ takesFocus }: { takesFocus: boolean }) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) title.current?.focus();
  }, [takesFocus]);

  return (
    <Card role="status">
      <Stack>
        <Title ref={title} tabIndex={-1}>
          This tool isn&apos;t for sale anymore.
        </Title>
        <MutedText>This doesn&apos;t affect orders that you&apos;ve already placed.</MutedText>
        <div>
          <ButtonLink to="/#tools">See the tools for sale</ButtonLink>
        </div>
      </Stack>
    </Card>
  );
}
