import { memo, type ReactNode } from 'react';
import { VisuallyHidden } from './page';
import { Cell, Grid, GROUP_ROWS, Head, Row, RowGroup, Scroll } from './tableStyle';
import { useIncrementalList } from './useIncrementalList';

export type Column<T> = {
  label: string;
  cell: (row: T, index: number) => ReactNode;
  align?: 'start' | 'end';
  /** The width of the column's grid track. The default is an equal share of the remaining space. */
  width?: string;
};

type TableProps<T> = {
  caption: string;
  columns: Column<T>[];
  rows: readonly T[];
  rowKey: (row: T) => string;
};

type TableRowProps<T> = { row: T; index: number; columns: Column<T>[] };

function PlainRow<T>({ row, index, columns }: TableRowProps<T>) {
  return (
    <Row role="row">
      {columns.map(({ label, cell, align = 'start' }) => (
        <Cell key={label} role="cell" data-label={label} data-align={align}>
          {cell(row, index)}
        </Cell>
      ))}
    </Row>
  );
}

/** Memoized: pass the same `columns` object on every render. */
const TableRow = memo(PlainRow) as typeof PlainRow;

type GroupProps<T> = Pick<TableProps<T>, 'columns' | 'rows' | 'rowKey'> & { from: number; to: number };

function PlainRowGroup<T>({ rows, from, to, columns, rowKey }: GroupProps<T>) {
  return (
    <RowGroup role="rowgroup">
      {rows.slice(from, to).map((row, i) => (
        <TableRow key={rowKey(row)} row={row} index={from + i} columns={columns} />
      ))}
    </RowGroup>
  );
}

/** Groups let the browser skip rows that are out of sight, so that a dialog opens fast above a long table. */
const TableRowGroup = memo(PlainRowGroup) as typeof PlainRowGroup;

const EQUAL_SHARE = 'minmax(0, 1fr)';
const gridTracks = (columns: { width?: string }[]) => columns.map(({ width = EQUAL_SHARE }) => width).join(' ');

/** A table that becomes cards on phones. It needs explicit roles, because `display` removes the native ones. */
export function Table<T>({ caption, columns, rows, rowKey }: TableProps<T>) {
  const { groups, sentinel } = useIncrementalList(rows.length, GROUP_ROWS);
  return (
    <Scroll>
      <Grid role="table" $tracks={gridTracks(columns)}>
        <caption>
          <VisuallyHidden>{caption}</VisuallyHidden>
        </caption>
        <Head role="rowgroup">
          <tr role="row">
            {columns.map(({ label, align = 'start' }) => (
              <th key={label} role="columnheader" scope="col" data-align={align}>
                {label}
              </th>
            ))}
          </tr>
        </Head>
        {groups.map((range) => (
          <TableRowGroup key={range.from} rows={rows} columns={columns} rowKey={rowKey} {...range} />
        ))}
      </Grid>
      {sentinel}
    </Scroll>
  );
}
