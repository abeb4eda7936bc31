import type { ReactNode } from 'react';
import { Shown } from './formStyle';

/** For the eye: a card as it will look. It says nothing that the fields do not say, and cannot be clicked. */
export function Preview({ children }: { children: ReactNode }) {
  return (
    <Shown>
      <figcaption>How it will look</figcaption>
      <ul inert>{children}</ul>
    </Shown>
  );
}
