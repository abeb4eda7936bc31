import { cacheResponse, type CachedResponse } from '../http/cachedResponse';

/** The rows of one table, ready to be sent. */
export interface CachedList<Row> {
  /** All rows, as one response. */
  list(): CachedResponse;
  /** One row, as a response of its own. */
  find(id: string): CachedResponse | undefined;
  /** The first rows of the list, as data. */
  first(most?: number): Row[];
}

/** Reads the rows of one table, in the order in which they are shown. */
export interface RowSource<Row> {
  /** @param ids all rows, if there are none */
  read(ids?: string[]): Promise<(Row & { position: number })[]>;
  newestFirst: boolean;
}

interface CachedRow<Row> {
  position: number;
  row: Row;
  text: string;
  response: CachedResponse;
}

const BIG = 65_536;
const CHURNING_MS = 100;

/** Only rows that changed are written again as JSON. A row that did not change keeps its bytes. */
export class CachedTable<Row extends { _id: string }> implements CachedList<Row> {
  private rows = new Map<string, CachedRow<Row>>();
  private whole: CachedResponse | undefined;
  private changedAt = 0;

  constructor(private readonly source: RowSource<Row>) {}

  /**
   * @param ids reads these rows, or all
   * @returns whether anything changed
   */
  async refresh(ids?: string[]): Promise<boolean> {
    const rows = await this.source.read(ids);
    const before = this.rows;
    const gone = new Set(ids ?? before.keys());
    if (!ids) this.rows = new Map();
    let [changed, added] = [false, false];
    for (const { position, ...rest } of rows) {
      const row = rest as unknown as Row;
      gone.delete(row._id);
      const text = JSON.stringify(row);
      const found = before.get(row._id);
      const same = found?.text === text;
      this.rows.set(row._id, same ? found : { position, row, text, response: cacheResponse(text) });
      changed ||= !same;
      added ||= !found;
    }
    for (const id of gone) if (before.delete(id)) changed = true;
    if (ids && added) this.sort();
    if (changed) this.invalidate();
    return changed;
  }

  list(): CachedResponse {
    return (this.whole ??= this.compose());
  }

  find(id: string): CachedResponse | undefined {
    return this.rows.get(id)?.response;
  }

  first(most = Infinity): Row[] {
    const rows: Row[] = [];
    for (const { row } of this.rows.values()) if (rows.push(row) >= most) break;
    return rows;
  }

  private invalidate(): void {
    this.whole = undefined;
    this.changedAt = Date.now();
  }

  private sort(): void {
    const direction = this.source.newestFirst ? -1 : 1;
    this.rows = new Map([...this.rows].sort(([, a], [, b]) => direction * (a.position - b.position)));
  }

  private compose(): CachedResponse {
    const rows = [...this.rows.values()];
    const text = `[${rows.map((row) => row.text).join(',')}]`;
    const isChurning = () => text.length > BIG && Date.now() - this.changedAt < CHURNING_MS;
    return cacheResponse(text, { isChurning, version: rows.map(({ response }) => response.etag).join(' ') });
  }
}
