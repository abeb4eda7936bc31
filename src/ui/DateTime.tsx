/** In the reader's own time zone, which is named: a printed page may be read in another one. */
const FORMAT = new Intl.DateTimeFormat('en-US', {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
});

export const DateTime = ({ at }: { at: string }) => <time dateTime={at}>{FORMAT.format(new Date(at))}</time>;
