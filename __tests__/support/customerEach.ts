import type { Tool } from '../../src/contract/entities';
import { comeNew } from './account';
import { newTool } from './shopper';
import { eachWithAVisitor } from './stage';
import { fill } from './visitor';

/** Before each test: a new customer, signed in in a browser of their own, and a tool that nobody else buys. */
export function aCustomerEach() {
  const here = Object.assign(eachWithAVisitor(), {} as { email: string; tool: Tool });
  beforeEach(async () => {
    [here.email, here.tool] = await Promise.all([comeNew(here.page), newTool()]);
  });

  const main = () => here.page.getByRole('main');
  return Object.assign(here, {
    main,
    place: () => main().getByRole('button', { name: 'Place order' }),
    toOrders: () => here.page.waitForURL((url) => url.pathname === '/dashboard/myorder'),
    toast: (text: string) => here.page.getByText(text, { exact: true }).last().waitFor(),
    async fillOrder(quantity: number) {
      await here.page.goto(`/purchase/${here.tool._id}`);
      await fill(here.page, { Address: '18 Foundry Row', Phone: '555 0142', Quantity: String(quantity) });
    },
  });
}
