import { act, render, screen } from '@testing-library/react';
import { HeldUntil } from '../../../src/ui/HeldUntil';

const DAY_MS = 24 * 60 * 60 * 1000;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('a hold of 30 days ends after 30 days, although the browser has no timer that long', () => {
  render(<HeldUntil time={new Date(Date.now() + 30 * DAY_MS).toISOString()} />);
  act(() => jest.advanceTimersByTime(29 * DAY_MS));
  expect(screen.getByText(/^Held for you until/)).toBeTruthy();
  act(() => jest.advanceTimersByTime(DAY_MS));
  expect(screen.getByText('Hold ended. Pay while stock lasts.')).toBeTruthy();
});
