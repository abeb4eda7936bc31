import { expectEventually, waitUntil } from '../../support/wait';
import { browserFixture, pauseClock } from '../../support/browser';

const fixture = browserFixture();
const control = (name: string) => fixture.page.getByRole('button', { name, exact: true });
const carousel = () => fixture.page.locator('[aria-roledescription=carousel]');

async function open() {
  await fixture.page.goto('/');
  await fixture.page.locator('.swiper-initialized').waitFor();
}

const readCurrentDot = () => carousel().locator('[aria-current=true]').getAttribute('aria-label');

/** Expects the dot of this slide to be current, and the slide to begin at the left edge of the carousel. */
const expectSlide = (nth: number) =>
  expectEventually(async () => {
    const slide = carousel()
      .locator('[aria-roledescription=slide]')
      .nth(nth - 1);
    const [slideBox, windowBox] = [await slide.boundingBox(), await carousel().locator('.swiper').boundingBox()];
    return [await readCurrentDot(), Math.round(slideBox!.x - windowBox!.x)];
  }, [`Slide ${nth}`, 0]);

test('Next, Previous, the dots and the arrow keys change the slide, wrapping around at both ends', async () => {
  await fixture.page.emulateMedia({ reducedMotion: 'reduce' });
  await open();
  await expectSlide(1);
  for (const [button, nth] of [
    ['Next slide', 2],
    ['Previous slide', 1],
    ['Previous slide', 4],
    ['Next slide', 1],
    ['Slide 3', 3],
  ] as const) {
    await control(button).click();
    await expectSlide(nth);
  }
  await fixture.page.keyboard.press('ArrowRight');
  await expectSlide(4);
  await fixture.page.keyboard.press('ArrowLeft');
  await expectSlide(3);
});

async function expectAutoAdvance() {
  const dotBefore = await readCurrentDot();
  await waitUntil(async () => {
    await fixture.page.clock.runFor(1000);
    return (await readCurrentDot()) !== dotBefore;
  });
}

/** Waits until the slide has stopped moving, and expects no other slide for 20 seconds. */
async function expectNoAdvance() {
  const dotBefore = (await readCurrentDot())!;
  await expectSlide(Number(dotBefore.at(-1)));
  for (let seconds = 0; seconds < 20; seconds += 1) await fixture.page.clock.runFor(1000);
  expect(await readCurrentDot()).toBe(dotBefore);
}

const movePointerAway = () => fixture.page.mouse.move(0, 700);

test('the slides advance automatically unless they are hovered, focused or paused', async () => {
  await fixture.page.clock.install();
  await open();
  await pauseClock(fixture.page);
  await expectAutoAdvance();
  await carousel().hover();
  await expectNoAdvance();
  await movePointerAway();
  await expectAutoAdvance();
  await control('Next slide').focus();
  await expectNoAdvance();
  await control('Next slide').blur();
  await expectAutoAdvance();
  await control('Pause the slides').click();
  await movePointerAway();
  await control('Play the slides').blur();
  await expectNoAdvance();
  await control('Play the slides').click();
  await movePointerAway();
  await control('Pause the slides').blur();
  await expectAutoAdvance();
});

test('the slides do not advance for people who prefer reduced motion', async () => {
  await fixture.page.emulateMedia({ reducedMotion: 'reduce' });
  await fixture.page.clock.install();
  await open();
  await pauseClock(fixture.page);
  await expectNoAdvance();
});

test.each([
  [844, 390],
  [720, 450],
])('a window of %i x %i pixels shows headline, picture and link of a slide together', async (width, height) => {
  await fixture.page.setViewportSize({ width, height });
  await open();
  const slide = fixture.page.locator('.swiper-slide').first();
  for (const part of ['h2', 'img', 'a']) {
    const box = (await slide.locator(part).boundingBox())!;
    expect(box.y + box.height).toBeLessThanOrEqual(height);
  }
});
