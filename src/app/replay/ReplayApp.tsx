import { useEffect, useMemo, useState } from 'react';
import { createPath, Router, type To } from 'react-router-dom';
import styled from 'styled-components';
import type { AppConfig } from '../../config';
import type { SessionCommands } from '../../session/hooks';
import { Button } from '../../ui/Button';
import { color, space, touchTarget } from '../../ui/theme';
import { Root } from '../Root';
import { describeRecordedAction, isFailure } from '../describeRecordedAction';
import { createChunkFailures, listFailedChunks } from './failedChunks';
import { createReplayStore } from './replayStore';
import type { Step } from './replaySession';
import { listStateChanges } from './stateChanges';

const PLAYED_STEP_MS = 600;
const noNavigation = () => undefined;
const NAVIGATOR = {
  createHref: (to: To) => (typeof to === 'string' ? to : createPath(to)),
  go: noNavigation,
  push: noNavigation,
  replace: noNavigation,
};
/** Pages call `prepare` when they open. A replay has no session, so the other commands are missing. */
const NO_COMMANDS = { prepare: noNavigation } as unknown as SessionCommands;

const Panel = styled.section`
  position: sticky;
  bottom: 0;
  z-index: 20;
  max-height: 40vh;
  overflow: auto;
  padding: ${space(4)};
  border-top: 2px solid ${color.ember};
  background: ${color.surface};
  overflow-wrap: anywhere;
`;
const Slider = styled.input`
  display: block;
  width: 100%;
  height: ${touchTarget};
  accent-color: ${color.ember};
`;
const Controls = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: ${space(2)};
  margin-bottom: ${space(2)};
`;

/** Sets the clock to the step's time, because pages compare times with it, for example the end of a hold. */
function setClock({ action }: Step) {
  Date.now = () => action.recorded.at;
}

type ReplayProps = { steps: Step[]; config: AppConfig; notice?: string | undefined };

/** Shows the shop's own pages in the state after one step of a saved session, with controls to choose the step. */
export function ReplayApp({ steps, config, notice }: ReplayProps) {
  const [index, setIndex] = useState(0);
  /**
   * While a request is pending, RTK Query's hooks keep showing earlier data. After a step back, these data would be
   * from a later step. Therefore the page gets a new key, which mounts it again. The same happens when a chunk that had
   * failed is loaded, because the page keeps showing the error.
   */
  const [pageKey, setPageKey] = useState(0);
  const [isPlaying, setPlaying] = useState(false);
  const { store, show, failedChunks, failChunks } = useMemo(() => {
    setClock(steps[0]!);
    const failedChunks = listFailedChunks(steps.map(({ action }) => action));
    const failChunks = createChunkFailures();
    failChunks(failedChunks[0]!);
    return { ...createReplayStore(steps[0]!.state), failedChunks, failChunks };
  }, [steps]);
  const { action, state, isSame } = steps[index]!;
  const last = steps.length - 1;
  const nextFailure = steps.findIndex((step, at) => at > index && isFailure(step.action));
  const goTo = (step: number) => {
    const next = Math.min(last, Math.max(0, step));
    const hasRecovered = failedChunks[index]!.size > failedChunks[next]!.size;
    if (next < index || hasRecovered) setPageKey((key) => key + 1);
    failChunks(failedChunks[next]!);
    setClock(steps[next]!);
    show(steps[next]!.state);
    setIndex(next);
  };

  useEffect(() => {
    Object.assign(window, { replayTo: goTo });
    if (!isPlaying || index === last) return;
    const timer = setTimeout(() => goTo(index + 1), PLAYED_STEP_MS);
    return () => clearTimeout(timer);
  });

  return (
    <>
      <Router key={pageKey} location={action.recorded.path} navigator={NAVIGATOR}>
        <Root store={store} config={config} commands={NO_COMMANDS} />
      </Router>
      <Panel aria-label="Replay" data-step={index} data-same={isSame}>
        {notice && <p>{notice}</p>}
        <Controls>
          <Button onClick={() => setPlaying(!isPlaying)}>{isPlaying ? 'Pause' : 'Play'}</Button>
          <Button variant="quiet" onClick={() => goTo(index - 1)}>
            Back
          </Button>
          <Button variant="quiet" onClick={() => goTo(index + 1)}>
            Step
          </Button>
          <Button variant="quiet" disabled={nextFailure < 0} onClick={() => goTo(nextFailure)}>
            Jump to the next error
          </Button>
        </Controls>
        <label>
          Step {index + 1} of {steps.length}, {new Date(action.recorded.at).toISOString()}{' '}
          <Slider type="range" min={0} max={last} value={index} onChange={({ target }) => goTo(Number(target.value))} />
        </label>
        <p>
          <strong>{describeRecordedAction(action)}</strong> at {action.recorded.path}
          {!isSame && ' (this state differs from the recorded one)'}
        </p>
        <ul>
          {listStateChanges(steps[index - 1]?.state, state).map((change) => (
            <li key={change}>
              <code>{change}</code>
            </li>
          ))}
        </ul>
      </Panel>
    </>
  );
}
