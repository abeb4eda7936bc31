const TIME_FORMAT = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/Chicago',
  timeZoneName: 'short',
  weekday: 'long',
  month: 'long',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});

/** Replaces the narrow space that `Intl` puts before AM and PM, because some mail programs cannot display it. */
export const formatShopTime = (time: Date) => TIME_FORMAT.format(time).replace(/\s/g, ' ');
