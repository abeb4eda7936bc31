/** The card frame's look; the custom properties are the page's style options. */
export const CARD_STYLE = `
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
