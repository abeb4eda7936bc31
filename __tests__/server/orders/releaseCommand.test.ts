import { main } from '../../../server/cli/orders';
import { openCardTestKit } from '../../support/cards';
import { openOrderTestKit, type OrderTestKit, NO_DISCREPANCIES } from '../../support/orders';

let testKit: OrderTestKit;
beforeAll(async () => {
  testKit = await openOrderTestKit();
});
afterAll(async () => {
  expect(await testKit.auditStock()).toEqual(NO_DISCREPANCIES);
  await testKit.close();
});

async function runOrdersCli(...argv: string[]) {
  const output: string[] = [];
  const record = (text: string | Uint8Array) => output.push(String(text)) > 0;
  const spies = [process.stdout, process.stderr].map((stream) =>
    jest.spyOn(stream, 'write').mockImplementation(record),
  );
  const code = await main(argv, { ...testKit.database!.env, DEMO: 'off' });
  for (const spy of spies) spy.mockRestore();
  return { code, output: output.join('') };
}

// Clause C.6.25
it('the operator can release all stock of a tool that unpaid orders have reserved, while paid orders keep their stock', async () => {
  const cards = openCardTestKit(testKit);
  const tool = await testKit.createTool({ name: 'Claw hammer' });
  const ann = await testKit.createCustomer();
  const place = async () => (await testKit.placeOrder(ann, { productName: tool.name, totalQuantity: 10 })).body._id;
  const [paid, unpaid] = [await place(), await place(), await place()];
  await cards.pay(ann, paid!, 70);
  const { intent } = await cards.createIntent(ann, unpaid!, 70);

  expect(await runOrdersCli('release', 'Claw hammer')).toEqual({
    code: 0,
    output: 'Claw hammer: ended 2 holds and returned the stock.\n',
  });
  expect(await testKit.readAvailable(tool.id)).toBe(90);
  expect((await testKit.deps.provider.findIntent(intent))?.status).toBe('canceled');
  expect((await runOrdersCli('release', tool.id)).output).toContain('ended 0 holds');
  expect((await cards.pay(ann, unpaid!, 70)).body.paid).toBe(true);
});

it('the command for releasing stock reports an unknown tool, an ambiguous name and wrong arguments', async () => {
  const { name } = await testKit.createTool();
  await testKit.createTool({ name });
  expect(await runOrdersCli('release', 'No such tool')).toEqual({
    code: 1,
    output: 'There is no tool "No such tool".\n',
  });
  expect((await runOrdersCli('release', name)).output).toContain('Use the id');
  expect((await runOrdersCli('sell', name)).output).toContain('Usage');
});
