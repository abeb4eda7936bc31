import type { ReactNode } from 'react';
import { Failed } from './Notice';
import { Spinner } from './Spinner';

export type Query<T> = { data?: T; isLoading: boolean; error?: unknown; refetch: () => unknown };

type QueryViewProps<T> = {
  query: Query<T>;
  /** A skeleton of the size of what is coming; it should hold a `Spinner`. */
  loading?: ReactNode;
  empty?: ReactNode;
  children: (data: T) => ReactNode;
};

const isEmpty = (data: unknown) => Array.isArray(data) && data.length === 0;

/** The four states of what a query shows. It waits on the first load only: refetching never hides what is there. */
export function QueryView<T>({ query, loading = <Spinner />, empty, children }: QueryViewProps<T>) {
  if (query.data !== undefined) {
    return <>{empty !== undefined && isEmpty(query.data) ? empty : children(query.data)}</>;
  }
  if (query.error && !query.isLoading) return <Failed error={query.error} onRetry={() => void query.refetch()} />;
  return <>{loading}</>;
}
