import { eq } from 'drizzle-orm';
import { mails } from '../../../server/db/schema';
import { sweepOnce } from '../../../server/jobs/sweep';
import { callShop, putUser } from '../../support/api';
import { callAccounts, codeOf } from '../../support/identity';
import { newEmail, PASSWORD } from '../../support/customers';
import { openMailTestKit, type MailTestKit } from './mailTestKit';
import { runMailCli } from './runMailCli';

const HOUR_MS = 3_600_000;
let kit: MailTestKit;
beforeAll(async () => {
  kit = await openMailTestKit();
});
beforeEach(() => void (kit.clock.offsetMs = 0));
afterAll(() => kit.close());

async function newAccount() {
  const email = newEmail();
  const { body } = await callAccounts(kit.origin, 'signUp', { email, password: PASSWORD });
  return { email, idToken: String(body.idToken) };
}
const sendCode = async (body: object) => expect((await callAccounts(kit.origin, 'sendOobCode', body)).status).toBe(200);
const mailOf = async (email: string) => (await kit.deps.db.select().from(mails).where(eq(mails.recipient, email)))[0]!;
const linkIn = (text: string) => new URL(/^http\S+$/m.exec(text)![0]);

it('a link that verifies an email arrives by SMTP, and is deleted from the database once it is sent', async () => {
  const { email, idToken } = await newAccount();
  await sendCode({ requestType: 'VERIFY_EMAIL', idToken });
  await kit.sendMail();
  await kit.sendMail();
  const [mail, ...others] = kit.receivedBy(email);
  expect(others).toEqual([]);
  expect(mail).toMatchObject({
    to: email,
    subject: 'Verify your email for Forgeline',
    autoSubmitted: 'auto-generated',
  });
  expect(mail!.text).toContain("If it wasn't you, ignore this email.");
  const link = linkIn(mail!.text);
  expect(mail!.html).toContain(`href="${link.href.replaceAll('&', '&amp;')}"`);
  expect(await mailOf(email)).toMatchObject({ state: 'sent', link: null });
  const applied = await callAccounts(kit.origin, 'update', { oobCode: codeOf(link) });
  expect(applied.body).toMatchObject({ email, emailVerified: true });
});

it('a link for a new password arrives by SMTP, and a new password ends older access tokens', async () => {
  const { email, idToken } = await newAccount();
  const { body } = await putUser(kit.origin, email, idToken);
  const readProfile = () => callShop(kit.origin, `/profile/${email}`, { token: body.token });
  expect((await readProfile()).status).toBe(200);
  await sendCode({ requestType: 'PASSWORD_RESET', email });
  await kit.sendMail();
  const [mail] = kit.receivedBy(email);
  expect(mail!.subject).toBe('Set a new password for Forgeline');
  const oobCode = codeOf(linkIn(mail!.text));
  expect((await callAccounts(kit.origin, 'resetPassword', { oobCode, newPassword: 'secret-2' })).status).toBe(200);
  expect(await readProfile()).toMatchObject({ status: 401, body: { code: 'token_invalid' } });
});

it('a link that expires before it can be sent is neither sent nor stored', async () => {
  const { email } = await newAccount();
  await sendCode({ requestType: 'PASSWORD_RESET', email });
  kit.clock.offsetMs = HOUR_MS;
  await kit.sendMail();
  expect(kit.receivedBy(email)).toEqual([]);
  expect(await mailOf(email)).toMatchObject({
    state: 'not sent',
    error: 'The link expired before the email was sent.',
  });
  await sweepOnce(kit.deps);
  expect((await mailOf(email)).link).toBeNull();
});

it('npm run mail prints the link until it is sent or has expired', async () => {
  const { email } = await newAccount();
  await sendCode({ requestType: 'PASSWORD_RESET', email });
  const { id, link } = await mailOf(email);
  const env = { ...kit.database!.env, DEMO: 'off' };
  expect((await runMailCli(env, 'list')).output).toContain(`reset password, to ${email}  queued`);
  expect((await runMailCli(env, 'show', String(id))).output).toContain(link);
  await kit.sendMail();
  const { output } = await runMailCli(env, 'show', String(id));
  expect(output).toContain('(This link is no longer stored, because it was sent or has expired.)');
  expect(output).not.toContain(codeOf(new URL(link!)));
});
