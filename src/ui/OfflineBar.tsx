import { useEffect, useState } from 'react';
import { BottomBar } from './BottomBar';
import { VisuallyHidden } from './page';

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

export function OfflineBar() {
  const { isOnline, wasOffline } = useConnection();
  return (
    <div role="status" data-print="no">
      {!isOnline && <BottomBar>You&apos;re offline. This page updates when your connection is back.</BottomBar>}
      {isOnline && wasOffline && <VisuallyHidden>You&apos;re online again.</VisuallyHidden>}
    </div>
  );
}
