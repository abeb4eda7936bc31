import { findOutlineDifference, encodeOutline, readOutline } from '../../../src/recorder/pageOutline';

const isNeverPrivate = () => false;

function read(html: string, isPrivate: (text: string) => boolean = isNeverPrivate) {
  const main = document.createElement('main');
  main.innerHTML = html;
  return readOutline(main, isPrivate);
}
const linesOf = (html: string) => read(html).map(({ line }) => line.trim());

describe('the outline of a page', () => {
  test('contains roles, states, names and texts', () => {
    expect(
      linesOf(
        '<h1>Orders</h1><div><button disabled aria-expanded="true">Open</button></div><img alt="A vise" src="x">',
      ),
    ).toEqual(['heading 1', '"Orders"', 'button disabled expanded=true', '"Open"', 'img', '"A vise"']);
  });

  test.each([
    ['text that a customer typed', '<input value="a">', '<input value="b">'],
    ['times', '<time datetime="1">1 PM</time>', '<time datetime="1">2 PM</time>'],
    ['rows far down a list', `<ul>${'<li>a</li>'.repeat(12)}</ul>`, `<ul>${'<li>a</li>'.repeat(40)}</ul>`],
    ['dialogs', '<p>a</p>', '<p>a</p><dialog open>b</dialog>'],
    ['elements that are marked as unrecorded', '<p data-unrecorded>1</p>', '<p data-unrecorded>2</p>'],
  ])('leaves out %s', (_what, one, other) => {
    expect(encodeOutline(read(one))).toBe(encodeOutline(read(other)));
  });

  test.each([
    ['a text', '<p>Paid</p>', '<p>Unpaid</p>'],
    ['a state', '<button>Pay</button>', '<button disabled>Pay</button>'],
    ['the level of a heading', '<h2>Orders</h2>', '<h3>Orders</h3>'],
    ['an additional row', '<ul><li>a</li></ul>', '<ul><li>a</li><li>a</li></ul>'],
    ['the position of an element', '<ul><li></li></ul><p>a</p>', '<ul><li>a</li></ul>'],
  ])('differs from another outline by %s', (_what, recorded, shown) => {
    expect(findOutlineDifference(read(shown), encodeOutline(read(recorded)))).toBeGreaterThanOrEqual(0);
  });

  test('matches any text where the recorded text was private', () => {
    const recorded = encodeOutline(read('<h1>Ann Lee</h1><p>Paid</p>', (text) => text.includes('Ann')));
    expect(recorded).toContain('??');
    expect(findOutlineDifference(read('<h1>person-1</h1><p>Paid</p>'), recorded)).toBe(-1);
    expect(findOutlineDifference(read('<h1>person-1</h1><p>Unpaid</p>'), recorded)).toBe(2);
    expect(findOutlineDifference(read('<h1>person-1</h1>'), recorded)).toBe(2);
  });
});
