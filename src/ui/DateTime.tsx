import { useState } from 'react';

/** Uses the browser's time zone and names it, because a printed page may be read in another zone. */
const FORMAT = new Intl.DateTimeFormat('en-US', {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
});

export const DateTime = ({ at }: { at: string }) => <time dateTime={at}>{FORMAT.format(new Date(at))}</time>;

const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' });

export const Day = ({ at }: { at: string }) => <time dateTime={at}>{DAY.format(new Date(at))}</time>;

const TIME = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' });
const DAY_AND_TIME = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});

const HALF_A_DAY_MS = 12 * 60 * 60 * 1000;

/** Shows only the time if it is within the next twelve hours. Otherwise shows the date too. */
export function ShortTime({ at }: { at: string }) {
  const time = new Date(at);
  const [isNear] = useState(() => time.getTime() - Date.now() < HALF_A_DAY_MS);
  return <time dateTime={at}>{(isNear ? TIME : DAY_AND_TIME).format(time)}</time>;
}
