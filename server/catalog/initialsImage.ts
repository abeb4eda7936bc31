const COLORS = [
  { ground: '#b83a0e', shade: '#932c08', ink: '#fff3ea' },
  { ground: '#3f5560', shade: '#33464f', ink: '#eaf1f4' },
  { ground: '#4b535b', shade: '#3d444b', ink: '#f4e9dc' },
  { ground: '#6b4a34', shade: '#563b29', ink: '#f6ead9' },
];
const FONT = "'Barlow Condensed','Arial Narrow',sans-serif";

const TICKS = Array.from({ length: 12 }, (_, n) => `M${26 + 4 * n} ${n % 5 === 0 ? 76 : 80}V84`).join('');

/** Drawn like the pictures of the demo's reviewers. The ground is part of it, so that it suits light and dark pages. */
export function initialsPicture(initials: string): string {
  const sum = [...initials].reduce((total, letter) => total + letter.codePointAt(0)!, 0);
  const { ground, shade, ink } = COLORS[sum % COLORS.length]!;
  const size = initials.length > 2 ? 26 : 40;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><path d="M0 0H96V96H0Z" fill="${ground}"/>` +
    `<path d="M0 96V70L96 30V96Z" fill="${shade}"/>` +
    `<text x="48" y="60" fill="${ink}" font-family="${FONT}" font-size="${size}" font-weight="600" text-anchor="middle">` +
    `${initials}</text><path d="${TICKS}" stroke="${ink}" stroke-width="1.4" opacity=".65"/></svg>`
  );
}
