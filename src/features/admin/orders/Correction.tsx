import { useRef, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '../../../ui/Button';

type Props = { label: string; children: (close: () => void) => ReactNode };

/** A button that opens the form of a correction. */
export function Correction({ label, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  /** Moves the focus back to the button that opened the form. */
  const close = () => {
    flushSync(() => setOpen(false));
    button.current?.focus();
  };
  return (
    <>
      {isOpen && children(close)}
      <div>
        <Button ref={button} variant="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Close' : label}
        </Button>
      </div>
    </>
  );
}
