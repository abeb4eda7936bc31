import { useSyncExternalStore } from 'react';
import styled from 'styled-components';
import { giveUpResends, lastResend, watchResends } from '../api/resends';
import { BottomBar } from '../ui/BottomBar';
import { Button } from '../ui/Button';
import { space } from '../ui/theme';

/** After the bar of a page without a connection, which it covers. */
const Bar = styled(BottomBar)`
  z-index: 21;
  display: flex;
  align-items: center;
  justify-content: center;
  gap: ${space(4)};
`;

/** Shown on each page, because a call is also sent again while the customer looks at other pages. */
export function ResendBar() {
  const what = useSyncExternalStore(watchResends, lastResend, () => undefined);
  return (
    <div role="status" data-print="no">
      {what && (
        <Bar>
          No answer yet. Sending {what} again…
          <Button variant="quiet" onClick={giveUpResends}>
            Stop
          </Button>
        </Bar>
      )}
    </div>
  );
}
