import type { ReactNode } from 'react';
import { LoadError } from './Notice';
import { Spinner } from './Spinner';

export type Query<T> = { data?: T; isLoading: boolean; error?: unknown; refetch: () => unknown };

type QueryViewProps<T> = {
  query: Query<T>;
  /** Shown while the data are loading. Should have the size of the content and contain a `Spinner`. */
  loading?: ReactNode;
  empty?: ReactNode;
  children: (data: T) => ReactNode;
};

const isEmpty = (data: unknown) => Array.isArray(data) && data.length === 0;

/**
 * Shows a query in each of its states: loading, failed, empty or loaded. Data that are shown stay while they are loaded
 * again, or if that fails.
 */
export function QueryView<T>({ query, loading = <Spinner />, empty, children }: QueryViewProps<T>) {
  if (query.data !== undefined) {
    return <>{empty !== undefined && isEmpty(query.data) ? empty : children(query.data)}</>;
  }
  if (query.error && !query.isLoading) return <LoadError error={query.error} onRetry={() => void query.refetch()} />;
  return <>{loading}</>;
}
