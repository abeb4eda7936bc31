import { useEffect, useState } from 'react';
import styled from 'styled-components';
import { VisuallyHidden } from './page';
import { color, shadow, space } from './theme';

const Bar = styled.div`
  position: fixed;
  inset: auto 0 0;
  z-index: 20;
  padding: ${space(3)} ${space(4)};
  border-top: 3px solid ${color.nightEmber};
  background: ${color.night};
  color: ${color.nightInk};
  box-shadow: ${shadow};
  text-align: center;
`;

/** `navigator.onLine` is false only without any connection, so the bar does not appear on a slow network. */
function useConnection() {
  const [isOnline, setOnline] = useState(true);
  const [wasOffline, setWasOffline] = useState(false);
  useEffect(() => {
    const update = () => {
      setOnline(navigator.onLine);
      if (!navigator.onLine) setWasOffline(true);
    };
    update();
    window.addEventListener('online', update);
    window.addEventListener('offline', update);
    return () => {
      window.removeEventListener('online', update);
      window.removeEventListener('offline', update);
    };
  }, []);
  return { isOnline, wasOffline };
}

/** At the bottom of the screen, so that it covers neither the menu nor the toasts. */
export function OfflineBar() {
  const { isOnline, wasOffline } = useConnection();
  return (
    <div role="status" data-print="no">
      {!isOnline && <Bar>You&apos;re offline. This page updates when your connection is back.</Bar>}
      {isOnline && wasOffline && <VisuallyHidden>You&apos;re online again.</VisuallyHidden>}
    </div>
  );
}
