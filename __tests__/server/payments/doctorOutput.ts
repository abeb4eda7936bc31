import type { SQL } from 'drizzle-orm';
import { main } from '../../../server/cli/doctor';
import type { Finding } from '../../../server/doctor/finding';
import { runCli } from '../../support/cli';
import type { PaymentTestKit } from '../../support/payments';

/** Runs `npm run doctor` in this process. */
export const runDoctorOf = ({ database }: PaymentTestKit, argv: string[] = []) => runCli(main, argv, database!.env);

/** @returns the name, the subject and the sentence of each finding */
export async function readDoctorFindings(testKit: PaymentTestKit, argv: string[] = []): Promise<string[][]> {
  const { out } = await runDoctorOf(testKit, ['--json', ...argv]);
  return (JSON.parse(out) as Finding[]).map(({ name, subject, detail }) => [name, subject, detail]);
}

/** Expects that the doctor reports exactly these findings after `breakData`, and none after `repairData`. */
export async function expectDoctorFindings(
  testKit: PaymentTestKit,
  findings: string[][],
  breakData: SQL,
  repairData: SQL,
): Promise<void> {
  await testKit.queryRows(breakData);
  const result = await runDoctorOf(testKit);
  await testKit.queryRows(repairData);
  const out = findings.map((finding) => `${finding.join(': ')}\n`).join('');
  expect(result).toEqual({ code: 1, out, err: '' });
  expect((await runDoctorOf(testKit)).code).toBe(0);
}
