import type { RecordedAction, SessionFile } from '../../recorder/sessionFile';
import { selectRecordableState } from '../../recorder/recordableState';
import { hashState } from '../../recorder/stateHash';
import { reducer, type RootState } from '../store';

export interface Step {
  action: RecordedAction;
  state: RootState;
  /** Whether the state after this step equals the recorded one, judging by the hash. */
  isSame: boolean;
}

/** Runs the recorded actions through the shop's own reducers. */
export function replaySession({ preloadedState, payload }: SessionFile): Step[] {
  let state = JSON.parse(preloadedState) as RootState;
  return (JSON.parse(payload) as RecordedAction[]).map((action) => {
    state = reducer(state, action);
    return { action, state, isSame: hashState(selectRecordableState(state)) === action.recorded.state };
  });
}
