import { setTimeout as sleep } from 'node:timers/promises';

interface Round {
  /** Undefined means all rows. */
  ids: Set<string> | undefined;
  done: Promise<void>;
  end: () => void;
}

/** Changes that come this soon after a read are read together. */
const BATCH_MS = 5;
const RETRY_MS = 500;

function newRound(): Round {
  let end: () => void = () => undefined;
  const done = new Promise<void>((resolve) => (end = resolve));
  return { ids: new Set(), done, end };
}

/**
 * Reads changed rows again. A writer waits for a read that began after its write, so that what it reads next shows the
 * write. Readers never wait.
 */
export class RefreshQueue {
  private next: Round | undefined;
  private working = false;
  private closed = false;

  constructor(
    private readonly refresh: (ids?: string[]) => Promise<void>,
    private readonly onError: (error: Error) => void,
  ) {}

  changed(id?: string): Promise<void> {
    const round = (this.next ??= newRound());
    if (id === undefined) round.ids = undefined;
    else round.ids?.add(id);
    if (!this.working) void this.work();
    return round.done;
  }

  close(): void {
    this.closed = true;
  }

  private async work(): Promise<void> {
    this.working = true;
    for (let round = this.next; round && !this.closed; round = this.next) {
      this.next = undefined;
      await sleep((await this.read(round)) ? BATCH_MS : RETRY_MS);
    }
    this.next?.end();
    this.working = false;
  }

  /** The write is made even if it can't be read back. A failure is reported, and all rows are read again later. */
  private async read({ ids, end }: Round): Promise<boolean> {
    try {
      await this.refresh(ids && [...ids]);
      return true;
    } catch (error) {
      this.onError(error as Error);
      void this.changed();
      return false;
    } finally {
      end();
    }
  }
}
