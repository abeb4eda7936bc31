import { networkOf } from '../../../server/http/network';

describe('A rate limit by IP address treats', () => {
  it('each IPv4 address separately, and its IPv4-mapped IPv6 form as the same address', () => {
    for (const address of ['203.0.113.9', '10.20.30.40'])
      expect([networkOf(address), networkOf(`::ffff:${address}`)]).toEqual([address, address]);
  });

  it.each([
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002:ffff::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::ffff:203.0.113.9', '64:ff9b:0:0::/64'],
    ['2001:db8:1::3:4:5:6:7', '2001:db8:1:3::/64'],
    ['::ffff:203.0.113.9%eth0', '0:0:0:0::/64'],
  ])('the address %s as the network %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  it('IPv6 addresses of the same /64 network as one address, and those of different networks separately', () => {
    expect(networkOf('2001:db8::a')).toBe(networkOf('2001:db8::b:c:d'));
    expect(networkOf('2001:db8:0:1::a')).not.toBe(networkOf('2001:db8:0:2::a'));
  });
});
