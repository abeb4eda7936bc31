import type { RecordedAction, SessionFile } from '../../recorder/format';
import { recordableState } from '../../recorder/recordableState';
import { stateHash } from '../../recorder/stateHash';
import { reducer, type RootState } from '../store';

export interface Step {
  action: RecordedAction;
  state: RootState;
  /** Whether the state after this step is the recorded one, judging by their hashes. */
  isSame: boolean;
}

/** Computes the state after each recorded action with the shop's own reducers. */
export function replaySession({ preloadedState, payload }: SessionFile): Step[] {
  let state = JSON.parse(preloadedState) as RootState;
  return (JSON.parse(payload) as RecordedAction[]).map((action) => {
    state = reducer(state, action);
    return { action, state, isSame: stateHash(recordableState(state)) === action.recorded.state };
  });
}
