import { main } from '../../../server/cli/orders';
import { openCardTestKit } from '../../support/cards';
import { openOrderTestKit, type OrderTestKit, sound } from '../../support/orders';

let desk: OrderTestKit;
beforeAll(async () => {
  desk = await openOrderTestKit();
});
afterAll(async () => {
  expect(await desk.audit()).toEqual(sound);
  await desk.close();
});

async function run(...argv: string[]) {
  const said: string[] = [];
  const hear = (text: string | Uint8Array) => said.push(String(text)) > 0;
  const ears = [process.stdout, process.stderr].map((stream) => jest.spyOn(stream, 'write').mockImplementation(hear));
  const code = await main(argv, { DATABASE_URL: desk.database!.url, DEMO: 'off' });
  for (const ear of ears) ear.mockRestore();
  return { code, said: said.join('') };
}

// Clause C.6.25
it('the operator ends all unpaid holds of a tool; what is paid stays sold, and nobody pays a cancelled intent', async () => {
  const cards = openCardTestKit(desk);
  const tool = await desk.tool({ name: 'Claw hammer' });
  const ann = await desk.customer();
  const place = async () => (await desk.order(ann, { productName: tool.name, totalQuantity: 10 })).body._id;
  const [paid, opened] = [await place(), await place(), await place()];
  await cards.pay(ann, paid!, 70);
  const { intent } = await cards.begin(ann, opened!, 70);

  expect(await run('release', 'Claw hammer')).toEqual({
    code: 0,
    said: 'Claw hammer: 2 holds ended, the stock is back.\n',
  });
  expect(await desk.available(tool.id)).toBe(90);
  expect((await desk.deps.provider.findIntent(intent))?.status).toBe('canceled');
  expect((await run('release', tool.id)).said).toContain('0 holds ended');
  expect((await cards.pay(ann, opened!, 70)).body.paid).toBe(true);
});

it('a tool that is unknown, or a name that two have, ends nothing', async () => {
  const { name } = await desk.tool();
  await desk.tool({ name });
  expect(await run('release', 'No such tool')).toEqual({ code: 1, said: 'There is no tool "No such tool".\n' });
  expect((await run('release', name)).said).toContain('by its id');
  expect((await run('sell', name)).said).toContain('Usage');
});
