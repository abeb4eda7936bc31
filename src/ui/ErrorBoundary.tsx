import { Component, type ReactNode } from 'react';
import { chunkFailed, WORDS } from '../contract/messages';
import { Button } from './Button';
import { Page } from './page';
import { Notice } from './Notice';

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
      <Page role="alert">
        <Notice title="This did not load">
          <p>{part ? chunkFailed(part) : WORDS.unexpected}</p>
          <Button onClick={this.retry}>Try again</Button>
        </Notice>
      </Page>
    );
  }
}
