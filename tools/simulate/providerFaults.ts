import type { SandboxFaults } from '../../embedded/stripe';
import type { Copy } from './copies';
import { scheduler } from './scheduler';
import { faults } from './faults';

/** `World.send` already loses responses to the browser, so these requests get no second fault here. */
const isFromBrowser = (path: string) => /payment_methods$|confirm$/.test(path);

/** Draws the faults of the payment provider, and the order in which it delivers events. */
export const providerFaults = (copy: Copy): SandboxFaults => ({
  onCall({ method, path }) {
    if (isFromBrowser(path)) return undefined;
    const fault = drawFault();
    if (fault && copy.isStepped)
      scheduler.trace(`the provider ${fault.drop ? 'loses its response to' : 'fails at'} ${method} ${path}`);
    return fault;
  },
  onDelivery(due) {
    if (due.length === 0 || !scheduler.decisions.happens(faults.delivery)) return due;
    const order = scheduler.decisions.draw(3);
    scheduler.trace(`the provider ${['repeats', 'reverses', 'delays'][order]} its ${due.length} events`);
    if (order === 0) return [...due, ...due];
    return order === 1 ? [...due].reverse() : due.slice(1);
  },
});

function drawFault() {
  if (!scheduler.decisions.happens(faults.provider)) return undefined;
  return scheduler.decisions.draw(2) === 0 ? { drop: true } : { status: 500 as const };
}
