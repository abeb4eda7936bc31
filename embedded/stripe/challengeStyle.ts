/** The challenge stands on its own, as a bank's page would: it does not take the shop's colours. */
export const CHALLENGE_STYLE = `
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
button:focus-visible { outline: 3px solid var(--act); outline-offset: 2px; }
`;
