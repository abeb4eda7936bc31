import { SettingError } from '../../server/settingReaders';
import { readSettings } from '../../server/settings';

const settingsOf = (env: Record<string, string>) => () => readSettings(env);

/** Each of them reaches the shop from elsewhere, or could. */
const ELSEWHERE = ['127.0.0.1.nip.io', 'localhost.example', 'not-localhost', '128.0.0.1', '10.127.0.0.1.example'];

describe('A host that is not this machine is named and refused for the demo', () => {
  it.each([...ELSEWHERE, '0.0.0.0', '::'])('as HOST: %s', (host) => {
    expect(settingsOf({ HOST: host })).toThrow(SettingError);
    expect(settingsOf({ HOST: host })).toThrow(host);
  });

  it.each([...ELSEWHERE, '[::2]'])('in PUBLIC_URL: %s', (host) => {
    expect(settingsOf({ PUBLIC_URL: `https://${host}` })).toThrow(SettingError);
    expect(settingsOf({ PUBLIC_URL: `https://${host}` })).toThrow(host);
  });
});

it.each([
  ['localhost', 'localhost'],
  ['127.0.0.1', '127.0.0.1'],
  ['127.1.2.3', '127.1.2.3'],
  ['::1', '[::1]'],
])('The demo is served at %s, which is this machine', (host, inUrl) => {
  expect(readSettings({ HOST: host, PUBLIC_URL: `http://${inUrl}:3000` })).toMatchObject({ host, demo: true });
});
