import { useMemo, useSyncExternalStore } from 'react';
import { font } from '../../ui/theme';
import { subscribeToTheme } from '../../ui/themeChoice';
import type { CardStyle } from './stripe';

/**
 * Reads the page's colors. They must be passed to the card's fields, because the page's styles do not apply in the
 * provider's frame.
 */
function readColors(): string {
  const style = getComputedStyle(document.documentElement);
  return ['ink', 'muted', 'bad'].map((name) => style.getPropertyValue(`--${name}`).trim()).join(' ');
}

export function useCardStyle(): CardStyle {
  const colors = useSyncExternalStore(subscribeToTheme, readColors, () => '');
  return useMemo(() => {
    const [ink, muted, bad] = colors.split(' ');
    const base = {
      color: ink,
      iconColor: muted,
      fontFamily: font.text,
      fontSize: '16px',
      '::placeholder': { color: muted },
    };
    return { base, invalid: { color: bad, iconColor: bad } };
  }, [colors]);
}
