import { networkOf } from '../../../server/http/network';

describe('A limit by address counts', () => {
  it('an IPv4 address as itself, even when it is mapped to IPv6', () => {
    expect([networkOf('203.0.113.9'), networkOf('::ffff:203.0.113.9')]).toEqual(['203.0.113.9', '203.0.113.9']);
  });

  it.each([
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002:ffff::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('%s as its network %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  it('addresses of one /64 network as one, and of different networks separately', () => {
    expect(networkOf('2001:db8::a')).toBe(networkOf('2001:db8::b:c:d'));
    expect(networkOf('2001:db8:0:1::a')).not.toBe(networkOf('2001:db8:0:2::a'));
  });
});
