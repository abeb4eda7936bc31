import { useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
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

/**
 * Shown on each page, because a call is also sent again while the customer looks at other pages. It is inside of an open
 * dialog, because the rest of the page can't be pressed.
 */
export function ResendBar() {
  const what = useSyncExternalStore(watchResends, lastResend, () => undefined);
  const dialog = what && document.querySelector('dialog[open]');
  const bar = (
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
  return dialog ? createPortal(bar, dialog) : bar;
}
