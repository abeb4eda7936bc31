import { replaySession } from '../../../src/app/replay/replaySession';
import { reducer, type RootState } from '../../../src/app/store';
import type { RecordedAction } from '../../../src/recorder/sessionFile';
import { selectRecordableState } from '../../../src/recorder/recordableState';
import { hashState } from '../../../src/recorder/stateHash';
import { recordRandomSession } from './recordRandomSession';

interface LiftedState {
  actionsById: Record<number, { action: RecordedAction }>;
  computedStates: RootState[];
}

/**
 * Imitates how Redux DevTools imports a file. Its `importState` parses `payload` and `preloadedState`. Its reducer in
 * `@redux-devtools/instrument` then recomputes all states from these actions, starting at `preloadedState`.
 */
function importIntoDevTools(text: string): LiftedState {
  const file = JSON.parse(text) as { payload: string; preloadedState: string };
  const actions = JSON.parse(file.payload) as RecordedAction[];
  const lifted: LiftedState = { actionsById: {}, computedStates: [JSON.parse(file.preloadedState) as RootState] };
  actions.forEach((action, index) => {
    if (Object.getPrototypeOf(action) !== Object.prototype) throw new Error('Actions must be plain objects.');
    if (typeof action.type !== 'string') throw new Error('Actions may not have an undefined "type" property.');
    lifted.actionsById[index + 1] = { action };
    lifted.computedStates.push(reducer(lifted.computedStates[index], action));
  });
  return lifted;
}

test('a saved session has the recorded states after an import as by Redux DevTools', async () => {
  const { report, file } = await recordRandomSession(1, 10);
  const { actionsById, computedStates } = importIntoDevTools(report);
  const steps = replaySession(file);
  expect(Object.keys(actionsById)).toHaveLength(steps.length);
  const hashes = computedStates.slice(1).map((state) => hashState(selectRecordableState(state)));
  expect(hashes).toEqual(steps.map(({ action }) => action.recorded.state));
});
