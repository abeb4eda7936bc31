import { createScrubber } from '../../../src/recorder/scrub';
import { hashState } from '../../../src/recorder/stateHash';

const { scrub, scrubPath } = createScrubber(['getProfile', 'listTools']);

describe('the scrubber', () => {
  test.each([
    ['email', 'ann.lee@mail.example'],
    ['phone', '+1 (312) 555-0199'],
    ['displayName', 'Ann Marie Lee'],
    ['address', '18 Foundry Row, Rockford'],
    ['linkedIn', 'https://linkedin.example/in/ann-lee'],
    ['password', 'forgeline-demo'],
    ['token', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'],
    ['cardnumber', '4242 4242 4242 4242'],
    ['code', 'not a code of the shop'],
    ['unknownField', 'ann'],
  ])('replaces the value of the field %s with a placeholder', (key, text) => {
    expect(JSON.stringify(scrub({ [key]: text }))).not.toContain(text);
  });

  test('keeps the first pages of a list that is loaded page by page', () => {
    const pages = [1, 2, 3].map((n) => ({ orders: [{ _id: '1', price: n }], next: null }));
    const scrubbed = scrub({ pages, pageParams: [null, null, null] }) as { pages: typeof pages; pageParams: null[] };
    expect(scrubbed.pages.map(({ orders }) => orders[0]!.price)).toEqual([1, 2]);
    expect(scrubbed.pageParams).toHaveLength(2);
  });

  test('keeps the length of long texts', () => {
    const address = '18 Foundry Row, Rockford, Illinois 61104';
    expect(scrub({ address })).toEqual({ address: expect.stringMatching(new RegExp(`^.{${address.length}}$`)) });
  });

  test('replaces equal texts with the same placeholder, in values, cache keys and paths', () => {
    const email = 'bea@mail.example';
    const { email: placeholder } = scrub({ email }) as { email: string };
    expect(scrub({ [`getProfile("${email}")`]: email })).toEqual({ [`getProfile("${placeholder}")`]: placeholder });
    expect(scrubPath(`/purchase/${encodeURIComponent(email)}?q=${email}`)).toBe(
      `/purchase/${placeholder}?q=${encodeURIComponent(placeholder)}`,
    );
  });

  test('replaces a key that is not a known field name', () => {
    expect(Object.keys(scrub({ 'ann@mail.example': 1 }) as object)).not.toContain('ann@mail.example');
  });

  test('replaces a large number', () => {
    expect(scrub({ price: 4_242_424_242_424_242 })).toEqual({ price: 100_000_000 });
  });

  test("keeps fixed values such as error codes, and replaces an error's detail with its title", () => {
    const problem = { type: '/problems/out_of_stock', status: 409, code: 'out_of_stock', instance: 'abcde-1f' };
    expect(scrub({ ...problem, detail: 'Ann ordered the last one.' })).toEqual({ ...problem, detail: 'Out of stock' });
    expect(scrub('listTools(undefined)')).toBe('listTools(undefined)');
  });

  test('keeps only the status and the request id of a response', () => {
    const headers = { link: 'secret', 'x-request-id': 'abcde-1f' };
    const response = new Response('a secret', { status: 409, headers });
    expect(scrub({ response })).toEqual({ response: { status: 409, code: 'abcde-1f' } });
  });
});

describe('the hash of a state', () => {
  test('does not depend on the order of its keys', () => {
    expect(hashState({ name: 1, price: [2] })).toBe(hashState({ price: [2], name: 1 }));
  });

  test.each([[{ name: '1' }], [{ price: 1 }], [{ name: [1] }], [{ name: 1, price: null }]])(
    'differs if the state changes to %j',
    (other) => {
      expect(hashState({ name: 1 })).not.toBe(hashState(other));
    },
  );
});
