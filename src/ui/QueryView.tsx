import type { ReactNode } from 'react';
import { LoadError } from './Notice';
import { Spinner } from './Spinner';

export type Query<T> = { data?: T; isLoading: boolean; error?: unknown; refetch: () => unknown };

type QueryViewProps<T> = {
  query: Query<T>;
  /** Shown while the data are loading. Should contain a `Spinner` and be as large as the content. */
  loading?: ReactNode;
  empty?: ReactNode;
  children: (data: T) => ReactNode;
};

const isEmpty = (data: unknown) => Array.isArray(data) && data.length === 0;

/**
 * Shows a query in each of its states: loading, failed, empty or loaded. Loaded data stay visible while they are loaded
 * again, even if that fails.
 */
export function QueryView<T>({ query, loading = <Spinner />, empty, children }: QueryViewProps<T>) {
  if (query.data !== undefined) {
    return <>{empty !== undefined && isEmpty(query.data) ? empty : children(query.data)}</>;
  }
  if (query.error && !query.isLoading) return <LoadError error={query.error} onRetry={() => void query.refetch()} />;
  return <>{loading}</>;
}
