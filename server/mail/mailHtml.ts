import { CONTACT } from '../../src/contract/contact';
import type { MailContent, ContentRow } from './mailContent';

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
const withBreaks = (text: string) => escapeHtml(text).replaceAll('\n', '<br>');

const FONT = "font-family:Barlow,-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const DISPLAY = "font-family:'Barlow Condensed','Arial Narrow','Helvetica Neue',Arial,sans-serif;font-weight:600";
/** The letters of the stamp and of the crate's label, as on the pages. */
const STENCIL = `${DISPLAY};letter-spacing:2px;text-transform:uppercase`;
const TABLE = 'role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"';

/**
 * The basic styles are inline, because many mail programs ignore style sheets. This sheet adds only the color of links,
 * dark colors and the layout for narrow screens.
 */
const STYLES = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
a { color: #b83a0e; }
@media (max-width: 480px) {
  .page { padding: 0 !important; }
  .card { padding: 28px 20px !important; border-width: 0 0 1px !important; }
  .button, .button a { display: block !important; }
}
@media (prefers-color-scheme: dark) {
  .page { background: #121417 !important; }
  .card { background: #1b1e22 !important; border-color: #343940 !important; }
  .ink { color: #f1ede4 !important; }
  .muted { color: #a9aeb5 !important; }
  .label, .value { border-color: #343940 !important; }
  .wood { background: #54422c !important; border-color: #35291a !important; }
  .label-ink, .stamp { color: #f3e6cd !important; border-color: #f3e6cd !important; }
  a { color: #f2794a !important; }
  .button { background: #f2794a !important; }
  .button a { color: #16181b !important; }
}`;

function toRow({ label, value, url, isTotal }: ContentRow): string {
  const line = 'padding:10px 0;border-top:1px solid #dcd8cf;vertical-align:baseline';
  const size = isTotal ? `font-size:28px;line-height:1.2;${DISPLAY}` : 'font-size:16px';
  const text = url ? `<a href="${escapeHtml(url)}" style="color:#b83a0e">${withBreaks(value)}</a>` : withBreaks(value);
  return `<tr>
<th scope="row" class="label muted" align="left" width="36%" style="${line};padding-right:16px;font-weight:400;color:#565c63">${escapeHtml(label)}</th>
<td class="value ink" dir="auto" align="left" style="${line};${size};color:#16181b;overflow-wrap:anywhere;word-break:break-word">${text}</td>
</tr>`;
}

const toParagraph = (text: string) =>
  `<p class="ink" dir="auto" style="margin:0 0 16px;color:#16181b">${withBreaks(text)}</p>`;

/**
 * Inboxes show the beginning of an email after its subject. This is the text that they show. In the opened email, it is
 * hidden.
 */
const toPreview = (text: string) =>
  `<div style="display:none;max-height:0;overflow:hidden;opacity:0">${escapeHtml(text)}</div>`;

/** The button's color is on the element around the link, because Outlook ignores the padding of links. */
const toButton = ({
  label,
  url,
}: MailContent['button']) => `<table cellpadding="0" cellspacing="0" border="0" width="100%"><tr>
<td align="left"><div class="button" style="display:inline-block;background:#b83a0e;border-radius:6px;text-align:center"><a
href="${escapeHtml(url)}" style="display:inline-block;padding:14px 28px;color:#ffffff;font-weight:700;text-decoration:none">${escapeHtml(label)}</a></div></td>
</tr></table>`;

/** The side of a crate, with the order's number and the stamp of what has happened. */
const toCrate = ({ orderNumber, stamp }: MailContent) =>
  orderNumber === undefined
    ? ''
    : `<table ${TABLE} style="margin:0 0 28px"><tr>
<td class="wood" style="padding:14px 18px;background:#e0c79e;border:2px solid #b8935f;border-width:2px 2px 6px"><span
class="label-ink" style="${STENCIL};font-size:20px;color:#1f1810">${escapeHtml(orderNumber)}</span></td>${
        stamp === undefined
          ? ''
          : `<td class="wood" align="right" style="padding:14px 18px;background:#e0c79e;border:solid #b8935f;border-width:2px 2px 6px 0"><span
class="stamp" style="${STENCIL};display:inline-block;padding:2px 10px;border:2px solid #1f1810;font-size:20px;color:#1f1810">${stamp}</span></td>`
      }
</tr></table>`;

export function toHtml(content: MailContent): string {
  const { subject, title, greeting, paragraphs, rows, button } = content;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<style>${STYLES}</style></head>
<body class="page" style="margin:0;padding:0;background:#f6f4ef;${FONT};font-size:16px;line-height:1.5">
${toPreview(paragraphs[0] ?? title)}
<table ${TABLE}><tr><td class="page" align="center" style="padding:32px 16px;background:#f6f4ef">
<table ${TABLE} style="max-width:600px"><tr>
<td align="left" style="padding:16px 24px;background:#16181b;border-bottom:4px solid #ff8f63"><span
style="${DISPLAY};font-size:20px;letter-spacing:3px;color:#f6f4ef">FORGELINE</span></td>
</tr><tr>
<td class="card" align="left" style="padding:36px 40px 40px;background:#ffffff;border:1px solid #dcd8cf;border-top:0">
<h1 class="ink" style="margin:0 0 20px;${DISPLAY};font-size:36px;line-height:1.1;color:#16181b">${escapeHtml(title)}</h1>
${toCrate(content)}
${[greeting, ...paragraphs].map(toParagraph).join('\n')}
<table width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:24px 0 32px;border-collapse:collapse">
${rows.map(toRow).join('\n')}
</table>
${toButton(button)}
<p class="muted" style="margin:32px 0 0;font-size:14px;color:#565c63">Questions? Reply to this email or call <a href="${CONTACT.phoneHref}" style="color:#b83a0e">${CONTACT.phone}</a>.</p>
</td></tr></table>
<p class="muted" style="margin:20px 0;font-size:13px;color:#565c63">Forgeline, ${CONTACT.street}, ${CONTACT.town}</p>
</td></tr></table>
</body></html>`;
}
