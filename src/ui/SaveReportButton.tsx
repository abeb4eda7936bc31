import styled from 'styled-components';
import { touchTarget } from './theme';
import { useHydrated } from './useHydrated';

const TextButton = styled.button`
  min-height: 32px;
  padding: 0;
  border: 0;
  background: none;
  color: inherit;
  font: inherit;
  text-align: start;
  text-decoration: underline;
  cursor: pointer;
  @media (pointer: coarse) {
    min-height: ${touchTarget};
  }
`;

/** This event opens the dialog of `src/app/SessionReport.tsx`, which this layer must not import. */
export const REPORT_REQUESTED = 'report-requested';

export function SaveReportButton() {
  const isHydrated = useHydrated();
  return (
    <TextButton
      type="button"
      data-unrecorded
      disabled={!isHydrated}
      onClick={() => window.dispatchEvent(new Event(REPORT_REQUESTED))}
    >
      Save what happened
    </TextButton>
  );
}
