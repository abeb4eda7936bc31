import { SettingError } from '../../server/settings/readers';
import { readSettings } from '../../server/settings/settings';

const MAIL_FROM = 'Forgeline <shop@shop.example>';
const SMTP_URL = 'smtps://shop:pa55word@mail.example';

function messageOf(env: Record<string, string>): string {
  try {
    readSettings(env);
  } catch (error) {
    expect(error).toBeInstanceOf(SettingError);
    return (error as Error).message;
  }
  throw new Error('These settings were accepted, but should be refused.');
}

test('if only one of the two mail settings is set, it is rejected with an error that names the other', () => {
  expect(messageOf({ MAIL_FROM })).toBe('MAIL_FROM is set, so SMTP_URL must be set too.');
  expect(messageOf({ SMTP_URL })).toBe('SMTP_URL is set, so MAIL_FROM must be set too.');
});

test.each([
  'mail.example',
  'https://shop:pa55word@mail.example',
  'smtp://',
  'smtp://shop@mail.example',
  'smtp://:pa55word@mail.example',
  'smtp://shop:pa55%word@mail.example',
  'smtps://shop:pa55word@mail.example/inbox',
  'smtps://shop:pa55word@mail.example?tls.rejectUnauthorized=false',
  'smtps://shop:pa55word@mail.example?logger=true&debug=true',
  'smtps://shop:pa55word@mail.example:99999',
  'smtps://shop:pa55#word@mail.example',
])('the SMTP_URL %s is refused without printing it', (url) => {
  expect(messageOf({ SMTP_URL: url, MAIL_FROM })).toBe(
    'SMTP_URL must be a URL like smtps://user:password@mail.example:465.',
  );
});

test.each([
  'Forgeline',
  'shop@',
  'Forgeline shop@shop.example',
  'Forgeline <shop@shop.example>, eve@evil.example',
  'shop@shop.example, eve@evil.example',
  'Forgeline <shop@shop.example',
  'shop@shop.example\nBcc: eve@evil.example',
  'Forge\r\nBcc: eve@evil.example\r\n <shop@shop.example>',
])('the invalid MAIL_FROM %j is reported in one sentence', (from) => {
  const message = messageOf({ SMTP_URL, MAIL_FROM: from });
  expect(message).toMatch(/^MAIL_FROM must be an address like Forgeline <shop@example\.com>, not "[^\n]+"\.$/);
});

test('SMTP_URL and MAIL_FROM determine the server and the sender of emails', () => {
  const read = (url: string, from = MAIL_FROM) => readSettings({ SMTP_URL: url, MAIL_FROM: from }).mail;
  expect(read('smtps://shop:p%40ss%2Fword@mail.example')).toEqual({
    server: { host: 'mail.example', port: 465, secure: true, auth: { user: 'shop', pass: 'p@ss/word' } },
    from: { name: 'Forgeline', address: 'shop@shop.example' },
  });
  expect(read('smtp://mail.example')!.server).toMatchObject({ port: 587, secure: false, auth: undefined });
  expect(read('smtp://[::1]:2525/')!.server).toMatchObject({ host: '::1', port: 2525 });
  expect(read(SMTP_URL, '"Forgeline, Inc." <shop@shop.example>')!.from.name).toBe('Forgeline, Inc.');
  expect(read(SMTP_URL, 'shop@shop.example')!.from).toEqual({ name: '', address: 'shop@shop.example' });
});
