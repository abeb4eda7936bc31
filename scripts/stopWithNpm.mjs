import { clearInterval, setInterval } from 'node:timers';

const parent = process.ppid;
const PAUSE_MS = 500;

/** npm forwards signals only to its shell, which ends without forwarding them. So this calls `stop` then. */
export function stopWithNpm(stop) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, PAUSE_MS);
}
