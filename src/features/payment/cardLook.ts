import { useMemo, useSyncExternalStore } from 'react';
import { font } from '../../ui/theme';
import { subscribe } from '../../ui/themeChoice';
import type { CardStyle } from './stripe';

const DARK = '(prefers-color-scheme: dark)';

function watch(changed: () => void) {
  const system = matchMedia(DARK);
  const stop = subscribe(changed);
  system.addEventListener('change', changed);
  return () => {
    stop();
    system.removeEventListener('change', changed);
  };
}

/** The card's fields are in a frame of the provider's: it is told the colours that hold now. */
function colours(): string {
  const token = getComputedStyle(document.documentElement);
  return ['ink', 'muted', 'bad'].map((name) => token.getPropertyValue(`--${name}`).trim()).join(' ');
}

export function useCardLook(): CardStyle {
  const now = useSyncExternalStore(watch, colours, () => '');
  return useMemo(() => {
    const [ink, muted, bad] = now.split(' ');
    const base = {
      color: ink,
      iconColor: muted,
      fontFamily: font.text,
      fontSize: '16px',
      '::placeholder': { color: muted },
    };
    return { base, invalid: { color: bad, iconColor: bad } };
  }, [now]);
}
