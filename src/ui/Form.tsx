import type { FormEvent, ReactNode } from 'react';
import { hasCode } from '../contract/toastText';
import { Button } from './Button';
import { FormCard, PreviewFigure } from './formStyle';
import { ErrorText } from './page';
import { SaveReportButton } from './SaveReportButton';
import { useHydrated } from './useHydrated';

/** Inert, because it repeats what the fields say: screen readers skip it and its links cannot be followed. */
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
  /** An error that belongs to no single field. */
  error?: string;
  onSubmit: (event: FormEvent) => unknown;
  children: ReactNode;
};

/** The button stays disabled until the page is hydrated. Before that, the browser itself would submit the form. */
export function Form({ label, action, busy, error, onSubmit, children }: FormProps) {
  const isHydrated = useHydrated();
  return (
    <FormCard method="post" noValidate aria-label={label} onSubmit={(event) => void onSubmit(event)}>
      {children}
      {error && <ErrorText>{error}</ErrorText>}
      {error && hasCode(error) && <SaveReportButton />}
      <Button type="submit" wide busy={busy} disabled={!isHydrated}>
        {action}
      </Button>
    </FormCard>
  );
}
