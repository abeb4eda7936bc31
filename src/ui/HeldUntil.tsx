import { useEffect, useState } from 'react';
import { ShortTime } from './DateTime';

/** The longest delay that `setTimeout` supports. */
const MAX_DELAY_MS = 2 ** 31 - 1;

const isOver = (time: string | null) => time === null || Date.parse(time) <= Date.now();

/** Renders again when the time has passed. */
function useIsOver(time: string | null): boolean {
  const [endedAt, setEndedAt] = useState(() => (isOver(time) ? time : undefined));
  useEffect(() => {
    const delay = time === null ? 0 : Date.parse(time) - Date.now();
    const timer = setTimeout(() => setEndedAt(time), Math.min(Math.max(delay, 0), MAX_DELAY_MS));
    return () => clearTimeout(timer);
  }, [time]);
  return endedAt === time;
}

/** How long an unpaid order reserves its stock. Afterwards it can be paid as long as the stock lasts. */
export function HeldUntil({ time }: { time: string | null }) {
  const isEnded = useIsOver(time);
  if (isEnded || time === null) return 'Hold ended. Pay while stock lasts.';
  return (
    <>
      Held for you until <ShortTime at={time} />
    </>
  );
}
