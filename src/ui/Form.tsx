import type { FormEvent, ReactNode } from 'react';
import { Button } from './Button';
import { FormCard, PreviewFigure } from './formStyle';
import { ErrorText } from './page';
import { useHydrated } from './useHydrated';

/**
 * The preview is inert, because it only repeats the fields. Screen readers skip it, and its links cannot be followed.
 */
export function Preview({ children }: { children: ReactNode }) {
  return (
    <PreviewFigure>
      <figcaption>Preview</figcaption>
      <ul inert>{children}</ul>
    </PreviewFigure>
  );
}

type FormProps = {
  label: string;
  /** The label of the submit button. */
  action: string;
  busy: boolean;
  /** An error that does not belong to one field. */
  error?: ReactNode;
  onSubmit: (event: FormEvent) => unknown;
  children: ReactNode;
};

/**
 * The submit button is disabled until hydration. Until then, the browser would send the form itself and reload the
 * page.
 */
export function Form({ label, action, busy, error, onSubmit, children }: FormProps) {
  const isHydrated = useHydrated();
  return (
    <FormCard method="post" noValidate aria-label={label} onSubmit={(event) => void onSubmit(event)}>
      {children}
      {error && <ErrorText>{error}</ErrorText>}
      <Button type="submit" wide busy={busy} disabled={!isHydrated}>
        {action}
      </Button>
    </FormCard>
  );
}
