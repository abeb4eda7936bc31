import type { ReactNode } from 'react';
import styled from 'styled-components';
import { codeOf, messageOf } from '../contract/problem';
import { Button } from './Button';
import { color, radius, size, space } from './theme';

const Box = styled.div`
  display: grid;
  justify-items: center;
  gap: ${space(4)};
  padding: ${space(10)} ${space(4)};
  border: 1px dashed ${color.edge};
  border-radius: ${radius};
  text-align: center;
`;

const Title = styled.h2`
  font-size: ${size.h4};
`;

const Code = styled.code`
  padding: ${space(1)} ${space(2)};
  border-radius: ${radius};
  background: ${color.line};
  user-select: all;
`;

/** A list with nothing in it, or a place where something else is due: title, a sentence, what to do. */
export function Notice({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Box>
      <Title>{title}</Title>
      {children}
    </Box>
  );
}

export function CodeToTell({ error }: { error: unknown }) {
  const code = codeOf(error);
  if (!code) return null;
  return (
    <p>
      If it stays, write to us with the code <Code>{code}</Code>
    </p>
  );
}

type FailedProps = { title?: string; error: unknown; sentence?: string; onRetry: () => void };

/** What happened, a code to read out, Try again. */
export function Failed({ title = 'This did not load', error, sentence, onRetry }: FailedProps) {
  return (
    <Box role="alert">
      <Title>{title}</Title>
      <p>{sentence ?? messageOf(error)}</p>
      <CodeToTell error={error} />
      <Button variant="quiet" onClick={onRetry}>
        Try again
      </Button>
    </Box>
  );
}
