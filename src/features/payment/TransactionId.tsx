import { useState } from 'react';
import { Button } from '../../ui/Button';
import { ActionRow, TransactionCode } from './paymentStyle';

/**
 * Browsers offer the clipboard only on https pages and on localhost.
 * @returns the button's next label
 */
async function copyToClipboard(text: string): Promise<string> {
  try {
    await navigator.clipboard.writeText(text);
    return 'Copied';
  } catch {
    return 'Select the ID and copy it';
  }
}

export function TransactionId({ id }: { id: string }) {
  const [label, setLabel] = useState('Copy');
  return (
    <ActionRow>
      <TransactionCode>{id}</TransactionCode>
      <Button variant="quiet" onClick={() => void copyToClipboard(id).then(setLabel)}>
        <span aria-live="polite">{label}</span>
      </Button>
    </ActionRow>
  );
}
