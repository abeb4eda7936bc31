import { startShop } from '../../support/shop';

let shop: Awaited<ReturnType<typeof startShop>>;
beforeAll(async () => {
  shop = await startShop();
});
afterAll(() => shop.close());

async function get(path: string) {
  const response = await fetch(shop.origin + path);
  const { headers } = response;
  return [response.status, headers.get('content-type'), headers.get('cache-control'), await response.text()];
}
const publicUrl = () => shop.deps.settings.publicUrl;

describe('For search engines', () => {
  it('robots.txt excludes the pages of signed-in users and names the sitemap', async () => {
    expect(await get('/robots.txt')).toEqual([
      200,
      'text/plain; charset=utf-8',
      'public, max-age=3600',
      `User-agent: *\nDisallow: /dashboard\nDisallow: /purchase\n\nSitemap: ${publicUrl()}/sitemap.xml\n`,
    ]);
  });

  it('sitemap.xml lists the public pages', async () => {
    const pages = ['home', 'blogs', 'about', 'login', 'signup'];
    expect(await get('/sitemap.xml')).toEqual([
      200,
      'application/xml; charset=utf-8',
      'public, max-age=3600',
      '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">' +
        `${pages.map((page) => `<url><loc>${publicUrl()}/${page}</loc></url>`).join('')}</urlset>\n`,
    ]);
  });
});

test.each([
  ['D', '#b83a0e', '#932c08', '#fff3ea', 40],
  ['A', '#3f5560', '#33464f', '#eaf1f4', 40],
  ['B', '#4b535b', '#3d444b', '#f4e9dc', 40],
  ['C', '#6b4a34', '#563b29', '#f6ead9', 40],
  ['AB', '#6b4a34', '#563b29', '#f6ead9', 40],
  ['ABC', '#4b535b', '#3d444b', '#f4e9dc', 26],
])(
  'a picture of the initials %s has a color of its own and a legible size',
  async (initials, background, shade, ink, size) => {
    const ticks =
      'M26 76V84M30 80V84M34 80V84M38 80V84M42 80V84M46 76V84M50 80V84M54 80V84M58 80V84M62 80V84M66 76V84M70 80V84';
    expect(await get(`/initials/${initials}.svg`)).toEqual([
      200,
      'image/svg+xml',
      'public, max-age=3600',
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><path d="M0 0H96V96H0Z" fill="${background}"/>` +
        `<path d="M0 96V70L96 30V96Z" fill="${shade}"/><text x="48" y="60" fill="${ink}" ` +
        `font-family="'Barlow Condensed','Arial Narrow',sans-serif" font-size="${size}" font-weight="600" ` +
        `text-anchor="middle">${initials}</text>` +
        `<path d="${ticks}" stroke="${ink}" stroke-width="1.4" opacity=".65"/></svg>`,
    ]);
  },
);
