import { useEffect, type ReactNode } from 'react';
import styled from 'styled-components';
import { supportCodeOf, messageOf } from '../contract/problem';
import { Button } from './Button';
import { CopyDetails } from './CopyDetails';
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
  font-size: ${size.title};
  overflow-wrap: anywhere;
`;

const Code = styled.code`
  padding: ${space(1)} ${space(2)};
  border-radius: ${radius};
  background: ${color.line};
  user-select: all;
`;

/** Replaces missing content: a title, an explanation, and usually a link. */
export function Notice({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Box>
      <Title>{title}</Title>
      {children}
    </Box>
  );
}

export function SupportCode({ error }: { error: unknown }) {
  const code = supportCodeOf(error);
  if (!code) return error instanceof Error ? <CopyDetails code={`${error.name}: ${error.message}`} /> : null;
  return (
    <p>
      If it keeps happening, contact us with the code <Code>{code}</Code>
      <CopyDetails code={code} />
    </p>
  );
}

type LoadErrorProps = { title?: string; error: unknown; sentences?: string[] | undefined; onRetry: () => void };

/** Says that something did not load. Tries again automatically when the browser is back online. */
export function LoadError({
  title = "This didn't load",
  error,
  sentences = [messageOf(error)],
  onRetry,
}: LoadErrorProps) {
  useEffect(() => {
    window.addEventListener('online', onRetry);
    return () => window.removeEventListener('online', onRetry);
  });
  return (
    <Box role="alert">
      <Title>{title}</Title>
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <SupportCode error={error} />
      <Button variant="quiet" onClick={onRetry}>
        Try again
      </Button>
    </Box>
  );
}
