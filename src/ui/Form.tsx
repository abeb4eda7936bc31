import type { FormEvent, ReactNode } from 'react';
import { Button } from './Button';
import { Sheet, Shown } from './formStyle';
import { ErrorText } from './page';
import { useHydrated } from './useHydrated';

/** For the eye: a card as it will look. It says nothing that the fields do not say, and cannot be clicked. */
export function Preview({ children }: { children: ReactNode }) {
  return (
    <Shown>
      <figcaption>How it will look</figcaption>
      <ul inert>{children}</ul>
    </Shown>
  );
}

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
