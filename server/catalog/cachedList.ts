import { Prepared } from '../http/cachedResponse';

interface Item<Row> {
  position: number;
  row: Row;
  text: string;
  ready: Prepared;
}

/** Rows as they lie in the database, in the order in which they are shown. */
export interface Source<Row> {
  /** Of these ids, or all. */
  read(ids?: string[]): Promise<(Row & { position: number })[]>;
  newestFirst: boolean;
}

const BIG = 65_536;
const RESTLESS_MS = 100;

/** A list and each of its rows as ready bytes; a row that changed costs its own bytes alone, one that did not nothing. */
export class Shelf<Row extends { _id: string }> {
  private items = new Map<string, Item<Row>>();
  private made: Prepared | undefined;
  private changedAt = 0;

  constructor(private readonly source: Source<Row>) {}

  /** Of these ids, or all; answers whether anything is other than it was. */
  async refresh(ids?: string[]): Promise<boolean> {
    const rows = await this.source.read(ids);
    const before = this.items;
    const gone = new Set(ids ?? before.keys());
    if (!ids) this.items = new Map();
    let [changed, added] = [false, false];
    for (const { position, ...rest } of rows) {
      const row = rest as unknown as Row;
      gone.delete(row._id);
      const text = JSON.stringify(row);
      const found = before.get(row._id);
      const same = found?.text === text;
      this.items.set(row._id, same ? found : { position, row, text, ready: new Prepared(text) });
      changed ||= !same;
      added ||= !found;
    }
    for (const id of gone) if (before.delete(id)) changed = true;
    if (ids && added) this.sort();
    if (changed) this.touch();
    return changed;
  }

  private touch(): void {
    this.made = undefined;
    this.changedAt = Date.now();
  }

  private sort(): void {
    const way = this.source.newestFirst ? -1 : 1;
    this.items = new Map([...this.items].sort(([, a], [, b]) => way * (a.position - b.position)));
  }

  find(id: string): Prepared | undefined {
    return this.items.get(id)?.ready;
  }

  first(most = Infinity): Row[] {
    const rows: Row[] = [];
    for (const { row } of this.items.values()) if (rows.push(row) >= most) break;
    return rows;
  }

  list(): Prepared {
    return (this.made ??= this.makeList());
  }

  private makeList(): Prepared {
    const items = [...this.items.values()];
    const text = `[${items.map((item) => item.text).join(',')}]`;
    const restless = () => text.length > BIG && Date.now() - this.changedAt < RESTLESS_MS;
    return new Prepared(text, { restless }, items.map(({ ready }) => ready.etag).join(' '));
  }
}
