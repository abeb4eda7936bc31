import type { Locator } from 'playwright-core';
import { expectEventually, waitUntil } from './wait';

/** The clock that closes a toast is an animation: stops it, or lets it come to its end. False when there is none. */
const clockOf = (toast: Locator, milliseconds: number, act: 'pause' | 'finish') =>
  toast.evaluate(
    (element, [lasts, turn]) => {
      const shown = element.closest('.Toastify__toast') ?? element;
      const runs = shown.getAnimations({ subtree: true });
      const clock = runs.find(
        ({ effect, playState }) => effect!.getTiming().duration === lasts && playState !== 'idle',
      );
      clock?.[turn]();
      return clock !== undefined;
    },
    [milliseconds, act] as const,
  );

/** It stands at the top right, so long, and then closes. */
export async function standsFor(toast: Locator, milliseconds: number): Promise<void> {
  await toast.waitFor();
  await waitUntil(() => clockOf(toast, milliseconds, 'pause'));
  const { width } = toast.page().viewportSize()!;
  const place = async () => {
    const box = (await toast.boundingBox())!;
    return [box.x > width / 2, width - box.x - box.width < 60, box.y < 120];
  };
  await expectEventually(place, [true, true, true]);
  await clockOf(toast, milliseconds, 'finish');
  await toast.waitFor({ state: 'detached' });
}
