import { useEffect, useState } from 'react';
import { ShortTime } from './DateTime';

/** `setTimeout` cannot wait longer than this. A hold can, because HOLD_HOURS allows 30 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const isOver = (time: string | null) => time === null || Date.parse(time) <= Date.now();

/** Renders the component again at that time, and then returns true. */
function useIsOver(time: string | null): boolean {
  const [endedAt, setEndedAt] = useState(() => (isOver(time) ? time : undefined));
  useEffect(() => {
    const remainingMs = () => (time === null ? 0 : Date.parse(time) - Date.now());
    let timer: ReturnType<typeof setTimeout>;
    function wait() {
      if (remainingMs() > 0) timer = setTimeout(wait, Math.min(remainingMs(), MAX_TIMER_MS));
      else setEndedAt(time);
    }
    timer = setTimeout(wait);
    return () => clearTimeout(timer);
  }, [time]);
  return endedAt === time;
}

/** Shows until when the order holds its stock. After that, the order can be paid as long as there is stock. */
export function HeldUntil({ time }: { time: string | null }) {
  const isEnded = useIsOver(time);
  if (isEnded || time === null) return 'Hold ended. Pay while stock lasts.';
  return (
    <>
      Held for you until <ShortTime at={time} />
    </>
  );
}
