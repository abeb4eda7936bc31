import { SettingError } from '../../server/settings/readers';
import { readSettings } from '../../server/settings/settings';

/** Hosts that look like loopback but may be reached from other machines. */
const NOT_LOOPBACK = ['127.0.0.1.nip.io', 'localhost.example', 'not-localhost', '128.0.0.1', '10.127.0.0.1.example'];

describe('The demo refuses a host other than loopback', () => {
  it.each([...NOT_LOOPBACK, '0.0.0.0', '::'])('in the setting HOST: %s', (host) => {
    expect(() => readSettings({ HOST: host })).toThrow(SettingError);
    expect(() => readSettings({ HOST: host })).toThrow(host);
  });

  it.each([...NOT_LOOPBACK, '[::2]'])('in the setting PUBLIC_URL: %s', (host) => {
    expect(() => readSettings({ PUBLIC_URL: `https://${host}` })).toThrow(SettingError);
    expect(() => readSettings({ PUBLIC_URL: `https://${host}` })).toThrow(host);
  });
});

it.each([
  ['localhost', 'localhost'],
  ['127.0.0.1', '127.0.0.1'],
  ['127.1.2.3', '127.1.2.3'],
  ['::1', '[::1]'],
])('the demo accepts the loopback host %s', (host, inUrl) => {
  expect(readSettings({ HOST: host, PUBLIC_URL: `http://${inUrl}:3000` })).toMatchObject({ host, demo: true });
});
