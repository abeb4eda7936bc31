import { Component, type ReactNode } from 'react';
import { chunkFailed } from '../contract/appMessages';
import { Failed } from './Notice';
import { Page } from './page';

type Props = { children: ReactNode; onRetry?: () => void };
type State = { error: Error | null };

const failedPart = (error: Error) =>
  error.name === 'ChunkLoadError' ? /chunk (\S+) failed/.exec(error.message)?.[1] : undefined;

/** Of a page or of a part of one. What failed once fails from memory, unless `children` or `onRetry` fetch it anew. */
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
    const part = failedPart(error);
    return (
      <Page>
        <Failed error={error} sentence={part && chunkFailed(part)} onRetry={this.retry} />
      </Page>
    );
  }
}
