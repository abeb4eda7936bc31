import { Client, type ClientConfig } from 'pg';
import { trackWork } from './simulatedRuntime';
import type { Copy } from './copies';
import { scheduler } from './scheduler';

type Callback = (error: Error | null, result?: unknown) => void;
type Statement = string | { text: string; values?: unknown[] };

const LISTEN = /^listen /;

/** A database connection of a copy of the server. Each statement waits until the scheduler chooses it. */
export class SteppedClient extends Client {
  /**
   * 305 is the fifth connection that copy 3 has created. Each copy counts its own, in the order of their creation: the
   * order in which they open differs between runs, and so does how many a dead copy creates.
   */
  readonly number: number;
  pid = 0;

  constructor(
    config: ClientConfig,
    readonly copy: Copy,
  ) {
    super(config);
    this.number = copy.nextConnectionNumber();
    // The pool listens to errors only after it has connected, and a run may end before that.
    this.on('error', () => undefined);
  }

  // @ts-expect-error The types of pg list each way to call it.
  override connect(callback?: Callback): Promise<this> | undefined {
    if (this.copy.isDead) return new Promise(() => undefined);
    const connecting = trackWork(
      (super.connect() as unknown as Promise<void>).then(async () => {
        const { rows } = await (super.query as (text: string) => Promise<{ rows: { pid: number }[] }>).call(
          this,
          `select pg_catalog.pg_backend_pid() as pid, set_config('sim.connection', '${this.number}', false)`,
        );
        this.pid = rows[0]!.pid;
        this.copy.connections.add(this);
        this.once('end', () => this.copy.connections.delete(this));
        return this;
      }),
    );
    if (!callback) return connecting as unknown as Promise<this>;
    connecting.then(
      () => callback(null, this),
      (error: Error) => callback(error),
    );
    return undefined;
  }

  // @ts-expect-error The types of pg list each way to call it.
  override query(...callParameters: unknown[]): unknown {
    const callback = typeof callParameters.at(-1) === 'function' ? (callParameters.pop() as Callback) : undefined;
    const parameters = callParameters.filter((parameter) => parameter !== undefined);
    const run = () => (super.query as (...all: unknown[]) => Promise<unknown>).apply(this, parameters);
    const [statement, values] = parameters as [Statement, unknown[] | undefined];
    const text = typeof statement === 'string' ? statement : statement.text;
    const boundValues = values ?? (typeof statement === 'string' ? [] : (statement.values ?? []));
    const result = this.step(text, boundValues, run);
    if (!callback) return result;
    result.then(
      (value) => callback(null, value),
      (error: Error) => callback(error),
    );
    return undefined;
  }

  private step(text: string, values: unknown[], run: () => Promise<unknown>): Promise<unknown> {
    const { copy } = this;
    if (copy.isDead) return new Promise(() => undefined);
    // Ignores LISTEN, because notifications would arrive at a time that the seed does not decide.
    if (LISTEN.test(text)) return Promise.resolve({ rows: [], rowCount: 0 });
    if (!copy.isStepped) return trackWork(run());
    return scheduler.hold({
      ...{ kind: 'statement', copy, client: this, run },
      label: text.replace(/\s+/g, ' ').trim(),
      detail: JSON.stringify(values),
    });
  }
}

/**
 * Creates a connection class for a copy. `currentCopy` can't be used, because a pool may open a connection during
 * another copy's request.
 */
export const clientOf = (copy: Copy) =>
  class extends SteppedClient {
    constructor(config: ClientConfig) {
      super(config, copy);
    }
  };
