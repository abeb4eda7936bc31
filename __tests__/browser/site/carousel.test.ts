import { expectEventually, waitUntil } from '../../support/wait';
import { browserFixture, pauseClock } from '../../support/browser';

const fixture = browserFixture();
const control = (name: string) => fixture.page.getByRole('button', { name, exact: true });
const carousel = () => fixture.page.locator('[aria-roledescription=carousel]');

async function open() {
  await fixture.page.goto('/');
  await fixture.page.locator('.swiper-initialized').waitFor();
}

const marked = () => carousel().locator('[aria-current=true]').getAttribute('aria-label');

/** The dot says so, and the slide stands in the carousel's window. */
const shows = (nth: number) =>
  expectEventually(async () => {
    const slide = carousel()
      .locator('[aria-roledescription=slide]')
      .nth(nth - 1);
    const [inside, around] = [await slide.boundingBox(), await carousel().locator('.swiper').boundingBox()];
    return [await marked(), Math.round(inside!.x - around!.x)];
  }, [`Slide ${nth}`, 0]);

test('the slides are turned by Next and Previous, by dots and by arrow keys, and round at both ends', async () => {
  await fixture.page.emulateMedia({ reducedMotion: 'reduce' });
  await open();
  await shows(1);
  for (const [press, nth] of [
    ['Next slide', 2],
    ['Previous slide', 1],
    ['Previous slide', 4],
    ['Next slide', 1],
    ['Slide 3', 3],
  ] as const) {
    await control(press).click();
    await shows(nth);
  }
  await fixture.page.keyboard.press('ArrowRight');
  await shows(4);
  await fixture.page.keyboard.press('ArrowLeft');
  await shows(3);
});

/** Time goes on until another slide is there. */
async function turns() {
  const before = await marked();
  await waitUntil(async () => {
    await fixture.page.clock.runFor(1000);
    return (await marked()) !== before;
  });
}

/** Once it has come to rest, from where its time would run. */
async function stays() {
  const before = (await marked())!;
  await shows(Number(before.at(-1)));
  for (let seconds = 0; seconds < 20; seconds += 1) await fixture.page.clock.runFor(1000);
  expect(await marked()).toBe(before);
}

const leave = () => fixture.page.mouse.move(0, 700);

test('the slides turn by themselves, but not while one points at them, has the focus in them, or has paused them', async () => {
  await fixture.page.clock.install();
  await open();
  await pauseClock(fixture.page);
  await turns();
  await carousel().hover();
  await stays();
  await leave();
  await turns();
  await control('Next slide').focus();
  await stays();
  await control('Next slide').blur();
  await turns();
  await control('Pause the slides').click();
  await leave();
  await control('Play the slides').blur();
  await stays();
  await control('Play the slides').click();
  await leave();
  await control('Pause the slides').blur();
  await turns();
});

test('between its turns it asks for no frames', async () => {
  await fixture.page.clock.install();
  await open();
  await pauseClock(fixture.page);
  await turns();
  await fixture.page.evaluate(() => {
    const { requestAnimationFrame } = window;
    Object.assign(window, { frames: 0 });
    window.requestAnimationFrame = (call) => {
      (window as unknown as { frames: number }).frames += 1;
      return requestAnimationFrame(call);
    };
  });
  await fixture.page.clock.runFor(3000);
  expect(await fixture.page.evaluate(() => (window as unknown as { frames: number }).frames)).toBe(0);
  await turns();
});

test('for who wants no motion the slides stand still', async () => {
  await fixture.page.emulateMedia({ reducedMotion: 'reduce' });
  await fixture.page.clock.install();
  await open();
  await pauseClock(fixture.page);
  await stays();
});
