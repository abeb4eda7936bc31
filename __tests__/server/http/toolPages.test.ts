import { eq } from 'drizzle-orm';
import type { Tool } from '../../../src/contract/entities';
import { reviews, tools } from '../../../server/db/schema';
import { callShop } from '../../support/api';
import { startShop } from '../../support/shop';
import { expectEventually } from '../../support/wait';

describe('The page of a tool', () => {
  let shop: Awaited<ReturnType<typeof startShop>>;
  beforeAll(async () => void (shop = await startShop({ env: { DEMO: 'on' } })));
  afterAll(() => shop.close());

  const get = (path: string) => fetch(shop.origin + path, { headers: { accept: 'text/html' } });
  const listTools = async () => (await callShop(shop.origin, '/tool')).body as unknown as Tool[];
  const publicUrl = (path: string) => shop.deps.settings.publicUrl + path;
  const productsIn = (html: string) =>
    [...html.matchAll(/<script type="application\/ld\+json">([^<]*)<\/script>/g)].map(
      ([, json]) => JSON.parse(json!) as Record<string, unknown>,
    );
  const textOf = (html: string) => html.replace(/<[^>]*>/g, '').replaceAll('&#x27;', "'");

  it('is found by a crawler that obeys robots.txt, and shows what the API returns', async () => {
    const robots = await (await get('/robots.txt')).text();
    const disallowed = [...robots.matchAll(/^Disallow: (.*)$/gm)].map(([, prefix]) => prefix!);
    const sitemap = /^Sitemap: (.*)$/m.exec(robots)![1]!;
    const xml = await (await get(new URL(sitemap).pathname)).text();
    const urls = [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)]
      .map(([, url]) => url!)
      .filter((url) => url.includes('tool='));
    const listed = await listTools();
    expect(urls).toEqual(listed.map(({ _id }) => publicUrl(`/home?tool=${_id}`)));
    for (const [index, tool] of listed.entries()) {
      const { pathname, search } = new URL(urls[index]!);
      expect(disallowed.filter((prefix) => pathname.startsWith(prefix))).toEqual([]);
      const response = await get(pathname + search);
      const html = await response.text();
      expect(response.status).toBe(200);
      expect(/<link rel="canonical" href="([^"]*)"/.exec(html)?.[1]).toBe(urls[index]);
      const text = textOf(html).replaceAll('\u00a0', ' ');
      expect(/<title>([^<]*)/.exec(html)?.[1]!.replaceAll('&#x27;', "'")).toBe(`${tool.name} · Forgeline`);
      const words = tool.description.split('\n').flatMap((line, i) => (i === 0 ? [line] : line.split(/: (.*)/)));
      for (const word of [
        `Price: $ ${tool.price}`,
        `Available: ${tool.availableQuantity.toLocaleString('en-US')} piece`,
      ])
        expect(text).toContain(word);
      for (const word of words) expect(text).toContain(word.replaceAll('\u00a0', ' '));
      expect(productsIn(html)).toEqual([
        expect.objectContaining({
          '@type': 'Product',
          name: tool.name,
          description: tool.description,
          image: publicUrl(tool.img),
          offers: expect.objectContaining({ price: tool.price, priceCurrency: 'USD', url: urls[index] }) as unknown,
        }),
      ]);
    }
    expect(productsIn(await (await get('/home')).text())).toEqual([]);
  });

  it('is the same page at / and with other parameters, and soon shows a change and a new review', async () => {
    const [tool] = await listTools();
    const path = `/home?tool=${tool!._id}`;
    const etagOf = async (url: string) => (await get(url)).headers.get('etag');
    expect(await etagOf(`/?a=b&tool=${tool!._id}`)).toBe(await etagOf(path));
    const { db, catalog } = shop.deps;
    await db.update(tools).set({ availableQuantity: 1 }).where(eq(tools.id, tool!._id));
    await catalog.reportChange('tools', tool!._id);
    await expectEventually(async () => {
      const html = await (await get(path)).text();
      return [textOf(html).includes('Available: 1 piece'), html.includes('schema.org/OutOfStock')];
    }, [true, true]);
    const review = { name: 'Ann', description: 'Holds its edge.', ratings: 5, img: '/a.svg', toolId: tool!._id };
    const [stored] = await db.insert(reviews).values(review).returning();
    await catalog.reportChange('reviews', stored!.id);
    await expectEventually(async () => (await (await get(path)).text()).includes('Holds its edge.'), true);
  });

  it('is the same 404 for all tools that are unknown or not for sale, with a way back to the tools', async () => {
    const stopped = (await listTools()).at(-1)!;
    const { db, catalog } = shop.deps;
    await db.update(tools).set({ onSale: false }).where(eq(tools.id, stopped._id));
    await catalog.reportChange('tools', stopped._id);
    const pages = await Promise.all(
      [stopped._id, 'nonsense', '"><script>'].map((id) => get(`/home?tool=${encodeURIComponent(id)}`)),
    );
    expect(pages.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(new Set(pages.map(({ headers }) => headers.get('etag'))).size).toBe(1);
    const html = await pages[0]!.text();
    expect(html).toContain('<meta name="robots" content="noindex"');
    expect(textOf(html)).toContain('It may not be for sale anymore, or the link may have a typo.Back to the tools');
  });
});
