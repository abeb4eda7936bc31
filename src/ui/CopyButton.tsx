import { useState } from 'react';
import { Button } from './Button';

type Props = { label: string; textToCopy: string; onRefused: () => string };

/**
 * Browsers offer the clipboard only on https pages and on localhost. Elsewhere the user has to copy by hand.
 * @param onRefused returns the label that says so
 */
export function CopyButton({ label, textToCopy, onRefused }: Props) {
  const [shownLabel, setShownLabel] = useState(label);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(textToCopy);
      setShownLabel('Copied');
    } catch {
      setShownLabel(onRefused());
    }
  };
  return (
    <Button variant="quiet" onClick={() => void copy()}>
      <span aria-live="polite">{shownLabel}</span>
    </Button>
  );
}
