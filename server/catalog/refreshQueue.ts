import { setTimeout as sleep } from 'node:timers/promises';

/** Undefined: everything. */
type Ids = Set<string> | undefined;
interface Round {
  ids: Ids;
  done: Promise<void>;
  end: () => void;
}

/** Changes that come so soon after a reading are read together. */
const TOGETHER_MS = 5;
const AGAIN_MS = 500;

function newRound(): Round {
  let end: () => void = () => undefined;
  const done = new Promise<void>((resolve) => (end = resolve));
  return { ids: new Set(), done, end };
}

/**
 * Reads again what changed. Whoever tells of a change waits for a reading that began after it, so that what is read
 * after one's own write shows it; whoever only reads never waits.
 */
export class Freshness {
  private next: Round | undefined;
  private working = false;
  private closed = false;

  constructor(
    private readonly refresh: (ids?: string[]) => Promise<void>,
    private readonly onTrouble: (error: Error) => void,
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
      await sleep((await this.read(round)) ? TOGETHER_MS : AGAIN_MS);
    }
    this.next?.end();
    this.working = false;
  }

  /** A write was made whether or not it can be read again: what failed is told, and read again later. */
  private async read({ ids, end }: Round): Promise<boolean> {
    try {
      await this.refresh(ids && [...ids]);
      return true;
    } catch (error) {
      this.onTrouble(error as Error);
      void this.changed();
      return false;
    } finally {
      end();
    }
  }
}
