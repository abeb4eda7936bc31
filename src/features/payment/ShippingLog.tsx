import { useId } from 'react';
import { useConfig } from '../../config';
import type { Order, ShippingEntry } from '../../contract/entities';
import { describeShipping } from '../../contract/terms';
import { trackingLinkOf } from '../../contract/trackingLink';
import { DateTime } from '../../ui/DateTime';
import { MutedText, Stack, VisuallyHidden } from '../../ui/page';
import { Entry, SectionTitle } from './receiptStyle';

function TrackingLink({ link }: { link: string }) {
  return (
    <a href={link} target="_blank" rel="noopener noreferrer">
      Track the package<VisuallyHidden> (opens a new tab)</VisuallyHidden>
    </a>
  );
}

function LogEntry({ entry }: { entry: ShippingEntry }) {
  const { at, carrier, tracking, note } = entry;
  const href = trackingLinkOf(entry);
  return (
    <Entry>
      <DateTime at={at} />
      <p>
        Shipped with <bdi>{carrier}</bdi>, tracking number <bdi>{tracking}</bdi>
      </p>
      {note && <p dir="auto">{note}</p>}
      {href && <TrackingLink link={href} />}
    </Entry>
  );
}

/** The log is a live region, so that screen readers announce a shipment that is recorded while the page is open. */
export function ShippingLog({ order: { status, shippingLog = [] } }: { order: Order }) {
  const titleId = useId();
  const { shipWithinDays } = useConfig();
  if (status !== 'paid' && shippingLog.length === 0) return null;
  return (
    <section aria-labelledby={titleId} data-print={shippingLog.length === 0 ? 'no' : undefined}>
      <Stack $gap={2}>
        <SectionTitle id={titleId}>Shipping log</SectionTitle>
        <div aria-live="polite">
          {shippingLog.length === 0 ? (
            <MutedText>
              We haven&apos;t shipped this order yet. {describeShipping(shipWithinDays)}. The tracking number will
              appear here.
            </MutedText>
          ) : (
            <Stack as="ol">
              {shippingLog.map((entry) => (
                <LogEntry key={entry.at + entry.tracking} entry={entry} />
              ))}
            </Stack>
          )}
        </div>
      </Stack>
    </section>
  );
}
