import { adminActions } from './adminActions';
import { customerActions, NO_ORDER, type PerformAction } from './customerActions';
import type { Action, ActionName } from './plan';
import { scheduler } from './scheduler';
import type { TabSession } from './tabSession';

const ACTIONS: Record<ActionName, PerformAction> = { ...customerActions, ...adminActions };

const MAX_TRIES = 10;
/** A payment takes about a hundred steps. */
const STEPS_BETWEEN_TRIES = 25;

async function runAction(tab: TabSession, { name, choices }: Action): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    await scheduler.hold({
      ...{ kind: 'action', copy: undefined, client: undefined, run: () => Promise.resolve() },
      label: `${tab.person.name}: ${name}`,
      earliestStep: tries === 0 ? 0 : scheduler.steps + STEPS_BETWEEN_TRIES,
    });
    if ((await ACTIONS[name](tab, choices)) !== NO_ORDER) return;
  }
}

/**
 * Performs the actions one after another. The scheduler chooses when each begins. An action without an order to act on
 * is tried again, because another tab may place one meanwhile.
 */
export async function runActions(tab: TabSession, actions: Action[]): Promise<void> {
  for (const action of actions) await runAction(tab, action);
}
