/** Texts that run code or load foreign content wherever text is parsed as markup or code. */
export const XSS_VECTORS = [
  '<script>alert(1)</script>',
  '</script><script>alert(1)</script>',
  '</style><script>alert(1)</script>',
  '--><script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<iframe srcdoc="<script>parent.alert(1)</script>"></iframe>',
  '<a href="javascript:alert(1)" autofocus onfocus=alert(1)>x</a>',
  '{{constructor.constructor("alert(1)")()}}',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  "';alert(1);//",
];

/** Unicode text that people really enter, or that breaks code which expects plain letters. */
export const ODD_TEXTS = {
  'right-to-left text': 'مطرقة ممتازة — שלום עולם',
  'an unclosed bidi override': '\u202Ereversed\u2066isolated',
  'stacked combining marks': 'Z̡̢̛̜̞̟ͣͤ̾a̴̧͑͝ĺ̷̛̰g̵̳̈́͘o̶̤̍!',
  'emoji sequences': '👩‍👩‍👧‍👦 🏴󠁧󠁢󠁳󠁣󠁴󠁿 👍🏽',
  'composed and decomposed letters': 'e\u0301 and é, ﬁ and fi',
  'zero-width characters': 'a\u200B\u200C\u200D\u2060\uFEFFb',
  'line breaks and tabs': 'one\ntwo\tthree\r\nfour',
  'SQL injection and format strings': "'; drop table users; -- %s %n \\' $1",
  'characters outside the BMP': '𝕱𝖔𝖗𝖌𝖊 𠜎𠜱',
  'Unicode line separators': 'a\u2028b\u2029c',
};
