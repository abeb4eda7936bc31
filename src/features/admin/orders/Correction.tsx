import { useId, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '../../../ui/Button';

type Props = { label: string; children: (close: () => void) => ReactNode };

/** A button that opens the form of a correction. */
export function Correction({ label, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  const button = useId();
  /** Moves the focus back to the button that opened the form. */
  const close = () => {
    flushSync(() => setOpen(false));
    document.getElementById(button)?.focus();
  };
  return (
    <>
      {isOpen && children(close)}
      <div>
        <Button id={button} variant="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Close' : label}
        </Button>
      </div>
    </>
  );
}
