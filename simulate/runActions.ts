import { adminActions } from './adminActions';
import { customerActions, type PerformAction } from './customerActions';
import type { Action, ActionName } from './plan';
import { scheduler } from './scheduler';
import type { TabSession } from './tabSession';

const ACTIONS: Record<ActionName, PerformAction> = { ...customerActions, ...adminActions };

/** Performs the actions one after another. The scheduler chooses when each begins. */
export async function runActions(tab: TabSession, actions: Action[]): Promise<void> {
  for (const { name, choices } of actions) {
    await scheduler.hold({
      ...{ kind: 'action', copy: undefined, client: undefined, run: () => Promise.resolve() },
      label: `${tab.person.name}: ${name}`,
    });
    await ACTIONS[name](tab, choices);
  }
}
