import { Component, type ReactNode } from 'react';
import { CHUNK_ADVICE, chunkFailed } from '../contract/appMessages';
import { LoadError } from './Notice';
import { Page } from './page';

type Props = { children: ReactNode; onRetry?: () => void };
type State = { error: Error | null };

/** The specification's sentence, and what to do. */
const chunkSentences = (chunk: string) => [
  chunkFailed(chunk),
  navigator.onLine ? CHUNK_ADVICE.online : CHUNK_ADVICE.offline,
];

const failedChunkName = (error: Error) =>
  error.name === 'ChunkLoadError' ? /chunk (\S+) failed/.exec(error.message)?.[1] : undefined;

/**
 * React remembers the failure of a lazy component. So a retry works only if `onRetry` or `children` replace that
 * component.
 */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: Error): State {
    return { error };
  }

  retry = () => {
    this.props.onRetry?.();
    this.setState({ error: null });
  };

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    const chunk = failedChunkName(error);
    return (
      <Page>
        <LoadError error={error} sentences={chunk ? chunkSentences(chunk) : undefined} onRetry={this.retry} />
      </Page>
    );
  }
}
