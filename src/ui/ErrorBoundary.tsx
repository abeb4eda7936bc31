import { Component, type ReactNode } from 'react';
import { chunkFailed, WORDS } from '../contract/messages';
import { Button } from './Button';
import { Page } from './page';
import { Notice } from './Notice';

type Props = {
  children: ReactNode;
  /** When it changes (the path, say), the page is tried anew. */
  resetKey?: string;
  onRetry?: () => void;
};
type State = { error: Error | null; resetKey?: string };

const failedPart = (error: Error) =>
  error.name === 'ChunkLoadError' ? /chunk (\S+) failed/.exec(error.message)?.[1] : undefined;

export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null, resetKey: this.props.resetKey };

  static getDerivedStateFromError(error: Error): Partial<State> {
    return { error };
  }

  static getDerivedStateFromProps({ resetKey }: Props, state: State): Partial<State> | null {
    return resetKey === state.resetKey ? null : { error: null, resetKey };
  }

  /** A part that failed once fails from memory until the page is loaded anew. */
  retry = () => {
    const { error } = this.state;
    if (this.props.onRetry) this.props.onRetry();
    else if (error && failedPart(error)) return window.location.reload();
    this.setState({ error: null });
  };

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    const part = failedPart(error);
    return (
      <Page role="alert">
        <Notice title="This page did not load">
          <p>{part ? chunkFailed(part) : WORDS.unexpected}</p>
          <Button onClick={this.retry}>Try again</Button>
        </Notice>
      </Page>
    );
  }
}
