import type { RecordedAction } from '../../recorder/sessionFile';

/** webpack's runtime: `e` loads the chunk with this id, `u` returns the name of its file. */
declare const __webpack_require__: { e: (id: string | number) => Promise<unknown>; u: (id: string | number) => string };

type ChunkEvent = { step: number; chunk: string; hasFailed: boolean };

function listChunkEvents(actions: RecordedAction[]): ChunkEvent[] {
  return actions.flatMap((action, step): ChunkEvent[] => {
    const { type, chunk } = action as RecordedAction & { chunk?: string };
    return chunk ? [{ step, chunk, hasFailed: type === 'page/chunkFailed' }] : [];
  });
}

/**
 * @returns for each step the chunks that the customer's browser could not load then: from the page that needed the
 * chunk, which is before its failure, until it loaded
 */
export function listFailedChunks(actions: RecordedAction[]): ReadonlySet<string>[] {
  const events = listChunkEvents(actions);
  const chunks = [...new Set(events.map(({ chunk }) => chunk))];
  const isFailed = (name: string, step: number) => {
    const own = events.filter(({ chunk }) => chunk === name);
    const next = own.find((event) => event.step > step);
    return next?.hasFailed || own.findLast((event) => event.step <= step)?.hasFailed;
  };
  return actions.map((_, step) => new Set(chunks.filter((name) => isFailed(name, step))));
}

/** Lets the import of these chunks fail, as it failed for the customer. */
export function createChunkFailures() {
  let failed: ReadonlySet<string> = new Set();
  const load = __webpack_require__.e;
  __webpack_require__.e = (id) => {
    const [chunk] = __webpack_require__.u(id).split('.');
    if (!failed.has(chunk!)) return load(id);
    return Promise.reject(Object.assign(new Error(`Loading chunk ${id} failed.`), { name: 'ChunkLoadError' }));
  };
  return (chunks: ReadonlySet<string>) => void (failed = chunks);
}
