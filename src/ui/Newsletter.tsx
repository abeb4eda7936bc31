import { useState, type FormEvent } from 'react';
import { PAGE_MESSAGES } from '../contract/pageMessages';
import { Button } from './Button';
import { Control } from './fieldStyle';
import { Line, Small } from './footerStyle';
import { useHydrated } from './useHydrated';

/** Does nothing, on purpose, and says so. */
export function Newsletter() {
  const hydrated = useHydrated();
  const [asked, setAsked] = useState(false);
  const answer = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
  };
  return (
    <Line method="post" onSubmit={answer} noValidate>
      <label htmlFor="newsletter">Newsletter</label>
      <div>
        <Control
          id="newsletter"
          type="email"
          autoComplete="email"
          placeholder="Your email"
          aria-describedby="newsletter-state"
        />
        <Button type="submit" disabled={!hydrated}>
          Subscribe
        </Button>
      </div>
      <Small id="newsletter-state" role="status">
        {asked ? PAGE_MESSAGES.newsletterClosed : 'Not open yet. What you type here goes nowhere.'}
      </Small>
    </Line>
  );
}
