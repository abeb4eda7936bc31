import type { FormEvent, ReactNode } from 'react';
import { Button } from './Button';
import { Sheet } from './formStyle';
import { ErrorText } from './page';
import { useHydrated } from './useHydrated';

type FormProps = {
  label: string;
  /** What its one button says. */
  action: string;
  busy: boolean;
  /** What is wrong and has no field of its own. */
  error?: string;
  onSubmit: (event: FormEvent) => unknown;
  children: ReactNode;
};

/** Used before its script is there it sends nothing: the button lives with the page. */
export function Form({ label, action, busy, error, onSubmit, children }: FormProps) {
  const alive = useHydrated();
  return (
    <Sheet method="post" noValidate aria-label={label} onSubmit={(event) => void onSubmit(event)}>
      {children}
      {error && <ErrorText>{error}</ErrorText>}
      <Button type="submit" wide busy={busy} disabled={!alive}>
        {action}
      </Button>
    </Sheet>
  );
}
