import { callShop } from '../../support/api';
import { type Customer, newAdmin, newCustomer } from '../../support/customers';
import { startShop } from '../../support/shop';

let shop: Awaited<ReturnType<typeof startShop>>;
let [ann, admin]: Customer[] = [];
beforeAll(async () => {
  shop = await startShop({ env: { IMG_HOSTS: 'pics.example, cdn.pics.example' } });
  [ann, admin] = [await newCustomer(shop), await newAdmin(shop)];
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
