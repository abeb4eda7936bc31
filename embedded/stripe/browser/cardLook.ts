import type { StripeElementStyle } from '@stripe/stripe-js';

/** Style options become custom properties: the frame's policy allows no other style. */
export function applyStyle(style: StripeElementStyle) {
  const { base = {}, invalid = {} } = style;
  const values: Record<string, string | number | undefined> = {
    '--color': base.color,
    '--font': base.fontFamily,
    '--size': base.fontSize,
    '--weight': base.fontWeight,
    '--spacing': base.letterSpacing,
    '--icon': base.iconColor ?? base['::placeholder']?.color,
    '--placeholder': base['::placeholder']?.color,
    '--invalid': invalid.color,
  };
  const root = document.documentElement.style;
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) root.removeProperty(name);
    else root.setProperty(name, String(value));
  }
}
