import { useState, type ReactNode } from 'react';
import styled from 'styled-components';
import { CopyButton } from './CopyButton';
import { color, radius, size, space } from './theme';

const Lines = styled.span`
  display: block;
  margin-top: ${space(2)};
  font-weight: 400;
`;

const Details = styled.code`
  display: block;
  margin-bottom: ${space(2)};
  padding: ${space(2)} ${space(3)};
  border-radius: ${radius};
  background: ${color.line};
  color: ${color.ink};
  font-size: ${size.small};
  overflow-wrap: anywhere;
  text-align: start;
  white-space: pre-wrap;
  user-select: all;
`;

/** The script with the names of all others changes with every build. */
function buildVersion(): string {
  const { src } = document.querySelector<HTMLScriptElement>('script[src*="/react."]') ?? {};
  return src?.split('.').at(-2) ?? 'unknown';
}

const describe = (code: string) =>
  [
    `Code: ${code}`,
    `Page: ${window.location.origin}${window.location.pathname}`,
    `Time: ${new Date().toISOString()}`,
    `Version: ${buildVersion()}`,
  ].join('\n');

/** Copies what the shop needs to find a failure in its log. */
export function CopyDetails({ code }: { code: string }) {
  const [details] = useState(() => describe(code));
  const [isShown, setShown] = useState(false);
  return (
    <Lines>
      {isShown && <Details>{details}</Details>}
      <CopyButton
        label="Copy details"
        textToCopy={details}
        onRefused={() => {
          setShown(true);
          return 'Select the details and copy them';
        }}
      />
    </Lines>
  );
}

/** @returns the sentence about a failure, with a button if the sentence ends with a code */
export function withCopyDetails(sentence: string, code: string | undefined): ReactNode {
  if (!sentence || !code) return sentence;
  return (
    <>
      {sentence} <CopyDetails code={code} />
    </>
  );
}
