import { useState, type FormEvent } from 'react';
import { Button } from './Button';
import { Control } from './fieldStyle';
import { NewsletterForm, SmallText } from './footerStyle';
import { useHydrated } from './useHydrated';

/** There is no newsletter. The form says so and sends the email nowhere. */
export function Newsletter() {
  const isHydrated = useHydrated();
  const [isSubmitted, setSubmitted] = useState(false);
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    setSubmitted(true);
  };
  return (
    <NewsletterForm method="post" aria-label="Subscribe to the newsletter" onSubmit={handleSubmit} noValidate>
      <label htmlFor="newsletter">Newsletter</label>
      <div>
        <Control
          id="newsletter"
          type="email"
          autoComplete="email"
          placeholder="Your email"
          aria-describedby="newsletter-state"
        />
        <Button type="submit" variant="quiet" disabled={!isHydrated}>
          Subscribe
        </Button>
      </div>
      <SmallText id="newsletter-state" role="status">
        Coming soon. You can&apos;t subscribe yet{isSubmitted ? ", so we didn't save your email." : '.'}
      </SmallText>
    </NewsletterForm>
  );
}
