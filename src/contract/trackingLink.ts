import type { ShippingEntry } from './entities';
import { safeHref } from './links';

/** The page of a carrier that shows where a package is. The tracking number comes at the end. */
const TRACKING_PAGES: [carrier: RegExp, page: string][] = [
  [/\bups\b/i, 'https://www.ups.com/track?tracknum='],
  [/\bfed ?ex\b/i, 'https://www.fedex.com/fedextrack/?trknbr='],
  [/\busps\b/i, 'https://tools.usps.com/go/TrackConfirmAction?tLabels='],
  [/\bdhl\b/i, 'https://www.dhl.com/en/express/tracking.html?AWB='],
];

/** @returns the link that the admin entered, or else the page of a carrier that we know, or undefined */
export function trackingLinkOf({ link, carrier, tracking }: Pick<ShippingEntry, 'link' | 'carrier' | 'tracking'>) {
  const entered = link && safeHref(link);
  if (entered) return entered;
  const page = TRACKING_PAGES.find(([name]) => name.test(carrier))?.[1];
  return page && page + encodeURIComponent(tracking.replaceAll(/\s/g, ''));
}
