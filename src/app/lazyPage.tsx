import { lazy, Suspense, useState, type ComponentType, type LazyExoticComponent } from 'react';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { twice } from '../ui/later';
import { Spinner } from '../ui/Spinner';
import { Alive } from './Alive';
import { onItsWay } from './partsOnTheirWay';

type Load = () => Promise<{ default: ComponentType }>;

export interface Part {
  Page: ComponentType;
  /** Its chunk's name, by which the server finds the files to announce in the page. */
  chunk: string;
  /** Fetches the part before someone goes there. */
  prefetch: () => void;
}

/** What fails twice is for the error boundary. */
async function fetchPart(load: Load) {
  const arrived = onItsWay();
  try {
    return await twice(load);
  } finally {
    arrived();
  }
}

/** Whoever asks for a part of a build that is gone needs the page of today's. */
async function loadAnew(error: Error & { request?: string }): Promise<never> {
  const answer = await fetch(error.request ?? '', { method: 'HEAD' }).catch(() => undefined);
  if (answer?.status === 404) window.location.reload();
  throw error;
}

/** A page in a chunk of its own, with the words and the way on for when it will not load. */
export function part(chunk: string, load: Load): Part {
  let current = make();

  /** What did not come is asked for anew by whoever comes next. */
  function make(orElse?: typeof loadAnew): LazyExoticComponent<ComponentType> {
    const fetched = () => fetchPart(load).catch(orElse);
    const forgetting = (error: Error) => {
      current = make();
      throw error;
    };
    return lazy(() => fetched().catch(forgetting));
  }

  function Page() {
    const [Content, setContent] = useState(() => current);
    const tryAgain = () => setContent((current = make(loadAnew)));
    return (
      <ErrorBoundary onRetry={tryAgain}>
        <Suspense fallback={<Spinner />}>
          <Content />
          <Alive />
        </Suspense>
      </ErrorBoundary>
    );
  }
  return { Page, chunk, prefetch: () => void load().catch(() => undefined) };
}
