import type { ReactNode } from 'react';
import styled from 'styled-components';
import { codeOf, messageOf } from '../contract/problem';
import { Button } from './Button';
import { color, radius, size, space } from './theme';

const SHORT = 8;

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

/** Short enough to read out; nothing where it was not the shop that answered. */
export function CodeToTell({ error }: { error: unknown }) {
  const code = codeOf(error)?.slice(-SHORT);
  if (!code) return null;
  return (
    <p>
      If it stays, write to us with the code <Code>{code}</Code>
    </p>
  );
}

/** What happened, a code to read out, Try again. */
export function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <Box role="alert">
      <Title>This did not load</Title>
      <p>{messageOf(error)}</p>
      <CodeToTell error={error} />
      <Button variant="quiet" onClick={onRetry}>
        Try again
      </Button>
    </Box>
  );
}
