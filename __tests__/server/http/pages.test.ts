import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { reviews } from '../../../server/db/schema';
import { FIREBASE_ENV } from '../../support/googleTokens';
import { startShop } from '../../support/shop';
import { expectEventually, waitUntil } from '../../support/wait';
import { bearer, type Customer, newCustomer } from '../../support/customers';
import { callShop } from '../../support/api';

describe('Pages', () => {
  let shop: Awaited<ReturnType<typeof startShop>>;
  beforeAll(async () => void (shop = await startShop({ env: { DEMO: 'on' } })));
  afterAll(() => shop.close());

  /** @returns the files of each chunk */
  function readGroups() {
    const manifest = readFileSync(join(__dirname, '../../../dist/client/manifest.json'), 'utf8');
    return (JSON.parse(manifest) as { groups: Record<string, string[]> }).groups;
  }
  const get = (path: string, headers: Record<string, string> = {}) => fetch(shop.origin + path, { headers });

  test('each page has one canonical URL, and the sitemap lists exactly these URLs', async () => {
    const pathsIn = async (path: string, tag: RegExp) => {
      const text = await (await get(path, { accept: 'text/html' })).text();
      return [...text.matchAll(tag)].map(([, address]) => new URL(address!).pathname);
    };
    const canonicalUrlTag = /<(?:link rel="canonical" href|meta property="og:url" content)="([^"]*)"/g;
    const paths = ['/home', '/blogs', '/about', '/login', '/signup'];
    for (const path of [...paths, '/'])
      expect(await pathsIn(path, canonicalUrlTag)).toEqual(Array(2).fill(path === '/' ? '/home' : path));
    expect([...new Set(await pathsIn('/sitemap.xml', /<loc>([^<]*)</g))]).toEqual(paths);
  });

  // Clauses A.2.8, C.1.3
  test('the page of an unknown path has noindex', async () => {
    const text = await (await get('/nowhere', { accept: 'text/html' })).text();
    expect(text.match(/<meta name="robots" content="noindex"\s*\/?>/g)).toHaveLength(1);
  });

  // Clause C.14.3
  test('chunks are served as immutable and compressed', async () => {
    const response = await get(`/assets/${readGroups()['main']![0]}`, { 'accept-encoding': 'br' });
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('content-encoding')).toBe('br');
    expect(response.headers.get('vary')).toBe('Accept-Encoding');
  });

  /** @returns the scripts of these chunks */
  function pathsOf(chunks: string[]) {
    const files = chunks.flatMap((name) => readGroups()[name]!).filter((file) => file.endsWith('.js'));
    return [...new Set(files)].map((file) => `/assets/${file}`);
  }
  const blocksOf = (html: string) =>
    Object.fromEntries(
      [...html.matchAll(/<script id="([\w-]+)" type="application\/json">([^<]*)<\/script>/g)].map(([, id, json]) => [
        id,
        JSON.parse(json!) as Record<string, unknown>,
      ]),
    );

  // Clause A.9.8
  test('each page contains the public settings and names its scripts, and only the home page contains data', async () => {
    for (const path of ['/', '/home', '/blogs', '/login', '/nowhere']) {
      const html = await (await get(path, { accept: 'text/html' })).text();
      const { 'app-config': config, 'app-data': data, ...others } = blocksOf(html);
      expect(config).toEqual({
        identity: { kind: 'embedded', projectId: expect.any(String), google: true, sendsNoMail: true },
        payments: { kind: 'sandbox', publishableKey: expect.stringMatching(/^pk_test_/) },
        demo: true,
        demoPassword: 'forgeline-demo',
        origin: shop.deps.settings.publicUrl,
        shipWithinDays: 2,
      });
      const isHome = path === '/' || path === '/home';
      expect([path, others, Object.keys(data ?? {})]).toEqual([path, {}, isHome ? ['tools', 'reviews'] : []]);
      expect(html.match(/\{\{\w+\}\}/)).toBeNull();
      expect(/<noscript>(.*?)<\/noscript>/.exec(html)?.[1]).toBe(
        '<aside aria-label="JavaScript is off">Ordering needs JavaScript. To order by phone, call ' +
          '<a href="tel:+13125550142">+1 312 555 0142</a>.</aside>',
      );
      const scripts = /<script data-scripts="([^"]*)">/.exec(html)![1]!.split(' ');
      const firstScripts = pathsOf(['react', 'store']);
      expect([path, scripts.slice(0, firstScripts.length)]).toEqual([path, firstScripts]);
      expect([scripts.at(-1), new Set(scripts).size]).toEqual([pathsOf(['main']).at(-1), scripts.length]);
      expect((await get(scripts.at(-1)!)).status).toBe(200);
    }
  });

  test('text in the data of a page cannot end the script element that contains it', async () => {
    const name = 'Saw </script><script>alert(1)</script>';
    const { db, catalog } = shop.deps;
    await db.insert(reviews).values({ name, description: 'a', ratings: 5, img: '/a.svg' });
    await catalog.reportChange('reviews');
    const { origin } = shop;
    await expectEventually(async () => {
      const html = await (await fetch(origin, { headers: { accept: 'text/html' } })).text();
      return [html.includes('Saw \\u003c/script>'), html.includes(name)];
    }, [true, false]);
  });

  test('the query and slashes at the end of a path do not change the page, and a route has one page for all ids', async () => {
    const etagOf = async (path: string) => (await get(path, { accept: 'text/html' })).headers.get('etag');
    const blogs = await etagOf('/blogs');
    expect(blogs).not.toBe(await etagOf('/about'));
    for (const path of ['/blogs/', '/blogs///', '/blogs?a=/b', '/blogs/?a'])
      expect([path, await etagOf(path)]).toEqual([path, blogs]);
    expect(await etagOf('/purchase/a')).toBe(await etagOf('/purchase/b'));
    expect([
      (await get('/?a', { accept: 'text/html' })).status,
      (await get('/nowhere/', { accept: 'text/html' })).status,
    ]).toEqual([200, 404]);
  });

  const STRIPE = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' };
  const TEST_KEYS_IN_PUBLIC = { ...STRIPE, ...FIREBASE_ENV, PUBLIC_URL: 'https://shop.example' };

  test("the payment page is in test mode only with Stripe's test keys on a public origin", async () => {
    const testModeOf = async (env: Record<string, string>) => {
      const shop = await startShop({ env: { ...STRIPE, ...FIREBASE_ENV, RATE_LIMIT: 'on', ...env } });
      const { body } = await shop.app.inject({ path: '/dashboard/payment/1', headers: { accept: 'text/html' } });
      await shop.close();
      return /"testMode":(\w+)/.exec(body)?.[1];
    };
    const liveKeys = { STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_PUBLISHABLE_KEY: 'pk_live_1' };
    expect(await testModeOf(TEST_KEYS_IN_PUBLIC)).toBe('true');
    expect(await testModeOf({ ...TEST_KEYS_IN_PUBLIC, ...liveKeys })).toBe('false');
    expect(await testModeOf({})).toBe('false');
  });
});

describe('The home page', () => {
  /** Longer than the server waits before it renders the page again. A slow machine needs even longer to render it. */
  const FIRST_PERIOD_MS = 1_500;

  async function openHomePageTestKit() {
    const shop = await startShop();
    const headers = { ...bearer(await newCustomer(shop, { role: 'admin' })), 'content-type': 'application/json' };
    const pageContains = async (path: string, name: string) =>
      (await (await fetch(shop.origin + path, { headers: { accept: 'text/html' } })).text()).includes(name);
    async function addTool(name: string) {
      const tool = {
        name,
        price: 7,
        minimumOrderQuantity: 1,
        availableQuantity: 9,
        description: 'Flat.',
        img: '/t.svg',
      };
      const response = await fetch(`${shop.origin}/tool`, { method: 'POST', headers, body: JSON.stringify(tool) });
      expect(response.status).toBe(201);
    }
    return { pageContains, addTool, close: shop.close };
  }

  // Clause C.13.2
  test('the home page soon shows a change, at / as well as at /home', async () => {
    const { pageContains, addTool, close } = await openHomePageTestKit();
    expect([await pageContains('/', 'Plane'), await pageContains('/home', 'Plane')]).toEqual([false, false]);
    await addTool('Plane');
    await expectEventually(() => pageContains('/home', 'Plane'), true);
    expect(await pageContains('/', 'Plane')).toBe(true);
    await close();
  });

  test('after a long enough period without visits, the next visitors to the home page see every change made meanwhile', async () => {
    const { pageContains, addTool, close } = await openHomePageTestKit();
    let periodMs = FIRST_PERIOD_MS;
    await waitUntil(async () => {
      const [early, late] = [randomUUID(), randomUUID()];
      expect(await pageContains('/', early)).toBe(false);
      await addTool(early);
      await sleep(periodMs);
      periodMs *= 2;
      await addTool(late);
      const areShown = await Promise.all([pageContains('/', late), pageContains('/', early), pageContains('/', late)]);
      return areShown.every(Boolean);
    });
    await close();
  });
});

describe('Pictures', () => {
  let shop: Awaited<ReturnType<typeof startShop>>;
  let [ann, admin]: Customer[] = [];
  beforeAll(async () => {
    shop = await startShop({ env: { IMG_HOSTS: 'pics.example, cdn.pics.example' } });
    [ann, admin] = [await newCustomer(shop), await newCustomer(shop, { role: 'admin' })];
  });
  afterAll(() => shop.close());

  const TOOL = { name: 'Saw', price: 1, minimumOrderQuantity: 1, availableQuantity: 1, description: 'a' };
  const addReview = (img: string, target = shop) =>
    callShop(target.origin, '/review', {
      method: 'POST',
      token: ann!.token,
      body: { description: 'a', ratings: 5, img },
    });
  const addTool = (img: string) =>
    callShop(shop.origin, '/tool', { method: 'POST', token: admin!.token, body: { ...TOOL, img } });
  const cspOf = async (target: typeof shop, path: string) =>
    (await fetch(target.origin + path, { headers: { accept: 'text/html' } })).headers.get('content-security-policy');

  const REFUSED_PICTURES = [
    'https://tracker.example/pixel.gif',
    'tracker.example/pixel.gif',
    'https://pics.example.tracker.example/a.png',
    'https://tracker.example/pics.example/a.png',
    'https://tracker.example/?pics.example',
    'https://tracker.example#pics.example',
    'https://notpics.example/a.png',
    'https://sub.pics.example/a.png',
    'https://pics.example:8443/a.png',
    'https://pics.example./a.png',
    'https://pіcs.example/a.png',
  ];
  const ALLOWED_PICTURES = [
    '/images/people/ann.svg',
    'https://pics.example/a.png',
    'HTTPS://PICS.example/a.png',
    'cdn.pics.example/b',
  ];

  describe('With IMG_HOSTS', () => {
    it.each(REFUSED_PICTURES)(
      'posting a review or a tool with the picture %s gets a 422 for the field img',
      async (img) => {
        for (const { status, body } of [await addReview(img), await addTool(img)])
          expect([status, body['errors']]).toEqual([
            422,
            [
              {
                field: 'img',
                message: 'The picture must be a path of this site or a link to pics.example or cdn.pics.example.',
              },
            ],
          ]);
      },
    );

    it.each(ALLOWED_PICTURES)('a review and a tool with the picture %s are stored', async (img) => {
      expect([(await addReview(img)).status, (await addTool(img)).status]).toEqual([201, 201]);
    });

    it('a review or tool whose picture is refused is not stored', async () => {
      for (const path of ['/review', '/tool'])
        expect(JSON.stringify((await callShop(shop.origin, path)).body)).not.toContain('tracker');
    });

    it('pages load pictures only from the shop and from the listed hosts', async () => {
      for (const path of ['/', '/blogs', '/dashboard/addreview', '/nowhere'])
        expect(await cspOf(shop, path)).toContain(
          "; img-src 'self' data: https://pics.example https://cdn.pics.example; ",
        );
    });
  });

  test('without IMG_HOSTS, pictures can come from any https host', async () => {
    const unrestricted = await startShop({ connection: shop.database!.connection });
    expect((await addReview('https://tracker.example/pixel.gif', unrestricted)).status).toBe(201);
    expect(await cspOf(unrestricted, '/')).toContain("; img-src 'self' data: https:; ");
    await unrestricted.close();
  });

  describe('A picture of initials', () => {
    it('cannot run scripts when it is opened as a page', async () => {
      expect(await cspOf(shop, '/initials/AL.svg')).toBe("default-src 'none'; frame-ancestors 'none'");
    });
  });
});
