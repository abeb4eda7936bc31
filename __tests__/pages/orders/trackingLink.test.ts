import { trackingLinkOf } from '../../../src/contract/trackingLink';

test.each([
  ['UPS', '1Z 999', 'https://www.ups.com/track?tracknum=1Z999'],
  ['FedEx Ground', '7712', 'https://www.fedex.com/fedextrack/?trknbr=7712'],
  ['Fed Ex', '7712 0', 'https://www.fedex.com/fedextrack/?trknbr=77120'],
  ['usps', '9400', 'https://tools.usps.com/go/TrackConfirmAction?tLabels=9400'],
  ['DHL', '12&x=1', 'https://www.dhl.com/en/express/tracking.html?AWB=12%26x%3D1'],
])('a package shipped with %s and number %s links to the page of the carrier', (carrier, tracking, link) =>
  expect(trackingLinkOf({ carrier, tracking, link: null })).toBe(link),
);

test('a link that the admin entered is used instead of the page of the carrier', () =>
  expect(trackingLinkOf({ carrier: 'UPS', tracking: '1Z', link: 'https://ups.example/1Z' })).toBe(
    'https://ups.example/1Z',
  ));

test('a package of another carrier has no link if the admin entered none or an unsafe one', () => {
  expect(trackingLinkOf({ carrier: 'Upson Freight', tracking: '1', link: null })).toBeUndefined();
  expect(trackingLinkOf({ carrier: 'Rail', tracking: '1', link: 'javascript:alert(1)' })).toBeUndefined();
});
