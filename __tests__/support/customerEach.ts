import type { Tool } from '../../src/contract/entities';
import { comeNew } from './account';
import { newTool, theTool } from './shopper';
import { eachWithAVisitor } from './stage';
import { fill } from './visitor';

/** Before each test: a new customer, signed in in a browser of their own, and a tool that no other file buys. */
export function aCustomerEach() {
  const here = Object.assign(eachWithAVisitor(), {} as { email: string; tool: Tool });
  beforeEach(async () => {
    [here.email, here.tool] = await Promise.all([comeNew(here.page), theTool()]);
  });

  const main = () => here.page.getByRole('main');
  return Object.assign(here, {
    main,
    /** For what depends on its stock, or changes its price. */
    ownTool: async () => void (here.tool = await newTool()),
    place: () => main().getByRole('button', { name: 'Place order' }),
    toOrders: () => here.page.waitForURL((url) => url.pathname === '/dashboard/myorder'),
    toast: (text: string) => here.page.getByText(text, { exact: true }).last().waitFor(),
    async fillOrder(quantity: number) {
      await here.page.goto(`/purchase/${here.tool._id}`);
      await fill(here.page, { Address: '18 Foundry Row', Phone: '555 0142', Quantity: String(quantity) });
    },
  });
}
