import type { RecordedAction, SessionFile } from '../../recorder/format';
import { recordableState } from '../../recorder/recordableState';
import { stateHash } from '../../recorder/stateHash';
import { reducer, type RootState } from '../store';

export interface Step {
  action: RecordedAction;
  state: RootState;
  /** Whether the hash of the state equals the recorded one. */
  isSame: boolean;
}

/** Runs the recorded actions through the shop's own reducers. */
export function replaySession({ preloadedState, payload }: SessionFile): Step[] {
  let state = JSON.parse(preloadedState) as RootState;
  return (JSON.parse(payload) as RecordedAction[]).map((action) => {
    state = reducer(state, action);
    return { action, state, isSame: stateHash(recordableState(state)) === action.recorded.state };
  });
}
