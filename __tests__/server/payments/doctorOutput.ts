import type { SQL } from 'drizzle-orm';
import { main } from '../../../server/cli/doctor';
import type { Finding } from '../../../server/doctor/finding';
import type { PaymentTestKit } from '../../support/payments';

/** Runs `npm run doctor` in this process. */
export async function runDoctorOf({ database }: PaymentTestKit, argv: string[], env: Record<string, string> = {}) {
  let output = '';
  const record = (chunk: unknown) => ((output += String(chunk)), true);
  const out = jest.spyOn(process.stdout, 'write').mockImplementation(record);
  const err = jest.spyOn(process.stderr, 'write').mockImplementation(record);
  try {
    return { code: await main(argv, { ...database!.env, ...env }), output };
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
}

/** @returns the name, the subject and the sentence of each finding */
export async function readDoctorFindings(testKit: PaymentTestKit, argv: string[] = []): Promise<string[][]> {
  const { output } = await runDoctorOf(testKit, ['--json', ...argv]);
  return (JSON.parse(output) as Finding[]).map(({ name, subject, detail }) => [name, subject, detail]);
}

/** Expects that the doctor reports exactly these findings after `breakData`, and none after `repairData`. */
export async function expectDoctorFindings(
  testKit: PaymentTestKit,
  findings: string[][],
  breakData: SQL,
  repairData: SQL,
): Promise<void> {
  await testKit.queryRows(breakData);
  const { code, output } = await runDoctorOf(testKit, []);
  await testKit.queryRows(repairData);
  expect(output).toBe(findings.map((finding) => `${finding.join(': ')}\n`).join(''));
  expect(code).toBe(1);
  expect((await runDoctorOf(testKit, [])).code).toBe(0);
}
