import { createHash } from 'node:crypto';

interface IframePage {
  html: string;
  policy: string;
}

function buildIframePage(name: string, title: string, style: string, body: string): IframePage {
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

/** The card frame's styles. The custom properties are the style options that the page sends. */
const CARD_STYLE = `
:root { color-scheme: light; --color: #30313d; --invalid: #df1b41; --placeholder: #6d6e78; --icon: #6d6e78; --size: 16px; --weight: 400; --spacing: normal;
  --font: system-ui, -apple-system, 'Segoe UI', Roboto, Arial, sans-serif; }
* { box-sizing: border-box; }
html, body { margin: 0; height: 100%; overflow: hidden; background: transparent; }
form { display: flex; align-items: center; gap: 8px; height: 44px; margin: 0; }
#brand { flex: none; width: 26px; height: 18px; color: var(--icon); }
#brand svg { display: block; width: 26px; height: 18px; }
input { min-width: 0; height: 44px; margin: 0; padding: 0; border: 0; outline: 0; border-radius: 0; background: transparent; appearance: none;
  color: var(--color); font: var(--weight) var(--size)/1.25 var(--font); letter-spacing: var(--spacing); font-variant-numeric: tabular-nums; caret-color: currentColor; }
input::placeholder { color: var(--placeholder); opacity: 1; }
input[aria-invalid='true'] { color: var(--invalid); }
input:disabled { opacity: .6; cursor: not-allowed; -webkit-text-fill-color: currentColor; }
input:-webkit-autofill { -webkit-text-fill-color: var(--color); transition: background-color 99999s; }
[name='cardnumber'] { flex: 1 1 0; }
@media (max-width: 350px) { .short { flex: 0 0 4ch; } .short + input { margin-left: auto; } }
[name='exp-date'] { flex: 0 0 4.1em; }
[name='cvc'] { flex: 0 0 max(4ch, 2.4em); }
[name='postal'] { flex: 0 0 max(6ch, 3.4em); text-transform: uppercase; }
[hidden] { display: none; }
@media (max-width: 370px) { .postal { gap: 5px; } .postal #brand { display: none; } }
@media (max-width: 290px) { #brand { display: none; } form, .postal { gap: 3px; } input::placeholder { font-size: .85em; }
  [name='exp-date'] { flex-basis: 3.75em; } [name='postal'] { flex-basis: max(5ch, 3.1em); } }
@media (forced-colors: active) { input[aria-invalid='true'] { text-decoration: underline wavy; } }
`;

const renderCardInput = (name: string, autocomplete: string, label: string, hint: string) =>
  `<input name="${name}" autocomplete="${autocomplete}" inputmode="${name === 'postal' ? 'text' : 'numeric'}" aria-label="${label}" placeholder="${hint}" autocorrect="off" spellcheck="false" disabled>`;

const CARD_FORM = `<form><span id="brand"></span>${[
  renderCardInput('cardnumber', 'cc-number', 'Credit or debit card number', 'Card number'),
  renderCardInput('exp-date', 'cc-exp', 'Credit or debit card expiration date', 'MM / YY'),
  renderCardInput('cvc', 'cc-csc', 'Credit or debit card CVC/CVV', 'CVC'),
  renderCardInput('postal', 'postal-code', 'ZIP or postal code', 'ZIP'),
].join('')}</form>`;

/** The challenge stands in for a page of the customer's bank, so the shop's page cannot set its style. */
const CHALLENGE_STYLE = `
:root { color-scheme: light dark; --paper: #ffffff; --ink: #16181b; --muted: #565c63; --line: #8b9097; --act: #b83a0e; --on-act: #ffffff; }
@media (prefers-color-scheme: dark) { :root { --paper: #1b1e22; --ink: #eceef0; --muted: #a9b0b7; --line: #7d848b; --act: #ff9a6c; --on-act: #1b1e22; } }
* { box-sizing: border-box; }
html, body { margin: 0; min-height: 100%; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, Arial, sans-serif; }
main { max-width: 30em; margin: 0 auto; padding: 24px; }
.label { display: inline-block; margin: 0; padding: 2px 8px; border: 1px solid var(--line); border-radius: 4px; color: var(--muted); font-size: 14px; }
h1 { margin: 12px 0 8px; font-size: 22px; line-height: 1.25; }
p { margin: 0 0 12px; }
div { display: flex; flex-direction: column; gap: 8px; }
button { min-height: 44px; padding: 0 16px; border: 1px solid var(--line); border-radius: 6px; background: transparent; color: var(--ink); font: inherit; cursor: pointer; }
#pass { border-color: var(--act); background: var(--act); color: var(--on-act); font-weight: 600; }
button:disabled { opacity: .6; cursor: not-allowed; }
button:focus-visible { outline: 3px solid var(--ink); outline-offset: 2px; }
`;

const CHALLENGE = `<main><p class="label">Test mode</p><h1>Confirm it's you</h1>
<p>Your bank would ask you here to confirm a payment of <strong id="amount"></strong>. This is test mode, so no bank is involved and you won't be charged. Choose how it ends.</p>
<div><button id="pass" type="button" disabled>Complete authentication</button><button id="fail" type="button" disabled>Fail authentication</button><button id="close" type="button" disabled>Cancel</button></div></main>`;

export const IFRAME_PAGES: Record<string, IframePage> = {
  card: buildIframePage('card', 'Secure card payment input frame', CARD_STYLE, CARD_FORM),
  challenge: buildIframePage('challenge', 'Payment authentication (test mode)', CHALLENGE_STYLE, CHALLENGE),
};
