import { setTimeout as sleep } from 'node:timers/promises';

interface Batch {
  /** The rows to read together. Undefined means all rows. */
  ids: Set<string> | undefined;
  done: Promise<void>;
  resolve: () => void;
}

/** The pause between two reads. Changes that arrive in the meantime are read together. */
const BATCH_MS = 5;
const RETRY_DELAY_MS = 500;

function createBatch(): Batch {
  let resolve: () => void = () => undefined;
  const done = new Promise<void>((resolvePromise) => (resolve = resolvePromise));
  return { ids: new Set(), done, resolve };
}

/**
 * Reads changed rows into the cache. The promise of `requestRefresh` waits for a read that began after the call, so
 * that the caller's next request sees its write. Requests for cached rows never wait.
 */
export class RefreshQueue {
  private next: Batch | undefined;
  private isWorking = false;
  private isClosed = false;

  constructor(
    private readonly refresh: (ids?: string[]) => Promise<void>,
    private readonly onError: (error: Error) => void,
    private readonly wait: (ms: number) => Promise<unknown> = sleep,
  ) {}

  requestRefresh(id?: string): Promise<void> {
    const batch = (this.next ??= createBatch());
    if (id === undefined) batch.ids = undefined;
    else batch.ids?.add(id);
    if (!this.isWorking) void this.readBatches();
    return batch.done;
  }

  close(): void {
    this.isClosed = true;
  }

  private async readBatches(): Promise<void> {
    this.isWorking = true;
    for (let batch = this.next; batch && !this.isClosed; batch = this.next) {
      this.next = undefined;
      await this.wait((await this.read(batch)) ? BATCH_MS : RETRY_DELAY_MS);
    }
    this.next?.resolve();
    this.isWorking = false;
  }

  /**
   * If the read fails, all rows are read again after a pause. Callers of `requestRefresh` do not wait for that, because
   * their writes are committed.
   * @returns whether the read succeeded
   */
  private async read({ ids, resolve }: Batch): Promise<boolean> {
    try {
      await this.refresh(ids && [...ids]);
      return true;
    } catch (error) {
      this.onError(error as Error);
      void this.requestRefresh();
      return false;
    } finally {
      resolve();
    }
  }
}
