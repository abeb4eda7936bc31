import { createHash } from 'node:crypto';
import { CARD_STYLE } from './cardStyle';
import { CHALLENGE_STYLE } from './challengeStyle';

interface Frame {
  html: string;
  policy: string;
}

function frame(name: string, title: string, style: string, body: string): Frame {
  const hash = createHash('sha256').update(style).digest('base64');
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'sha256-${hash}'`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ');
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${title}</title><style>${style}</style><script src="/v1/sandbox/${name}.js" defer></script>`;
  return { policy, html: `<!doctype html><html lang="en"><head>${head}</head><body>${body}</body></html>` };
}

const input = (name: string, complete: string, label: string, hint: string) =>
  `<input name="${name}" autocomplete="${complete}" inputmode="${name === 'postal' ? 'text' : 'numeric'}" aria-label="${label}" placeholder="${hint}" autocorrect="off" spellcheck="false" disabled>`;

const CARD_FORM = `<form><span id="brand"></span>${[
  input('cardnumber', 'cc-number', 'Credit or debit card number', 'Card number'),
  input('exp-date', 'cc-exp', 'Credit or debit card expiration date', 'MM / YY'),
  input('cvc', 'cc-csc', 'Credit or debit card CVC/CVV', 'CVC'),
  input('postal', 'postal-code', 'ZIP or postal code', 'ZIP'),
].join('')}</form>`;

const CHALLENGE = `<main><p class="label">Payment sandbox</p><h1>Is it you who pays?</h1>
<p>A bank would ask its customer here to confirm <strong id="amount"></strong>. This is a sandbox: no bank is asked and no money moves. Choose how it ends.</p>
<div><button id="pass" type="button">Complete authentication</button><button id="fail" type="button">Fail authentication</button><button id="close" type="button">Cancel</button></div></main>`;

export const FRAMES: Record<string, Frame> = {
  card: frame('card', 'Secure card payment input frame', CARD_STYLE, CARD_FORM),
  challenge: frame('challenge', 'Payment authentication (sandbox)', CHALLENGE_STYLE, CHALLENGE),
};
