import { memo, type ReactNode } from 'react';
import { Hidden } from './page';
import { Cell, Grid, GROUP_ROWS, Head, Row, RowGroup, Scroll } from './tableStyle';
import { useIncrementalList } from './useIncrementalList';

export type Column<T> = {
  label: string;
  cell: (row: T, index: number) => ReactNode;
  align?: 'start' | 'end';
  /** A track of the grid, the same in every row; an equal share of what is left over unless it is said. */
  width?: string;
};

type TableProps<T> = {
  caption: string;
  columns: Column<T>[];
  rows: readonly T[];
  rowKey: (row: T) => string;
};

type TableRowProps<T> = { row: T; index: number; columns: Column<T>[] };

function Cells<T>({ row, index, columns }: TableRowProps<T>) {
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

/** Drawn again only when its row changes: give `columns` that stay the same. */
const TableRow = memo(Cells) as typeof Cells;

type GroupProps<T> = Pick<TableProps<T>, 'columns' | 'rows' | 'rowKey'> & { from: number; to: number };

function Rows<T>({ rows, from, to, columns, rowKey }: GroupProps<T>) {
  return (
    <RowGroup role="rowgroup">
      {rows.slice(from, to).map((row, i) => (
        <TableRow key={rowKey(row)} row={row} index={from + i} columns={columns} />
      ))}
    </RowGroup>
  );
}

/** What is out of sight costs a dialog nothing: the browser skips it, group by group. */
const TableRows = memo(Rows) as typeof Rows;

const EQUAL_SHARE = 'minmax(0, 1fr)';
const tracksOf = (columns: { width?: string }[]) => columns.map(({ width = EQUAL_SHARE }) => width).join(' ');

/** A real table that turns into cards on phones. Roles are said, since `display` would take them away. */
export function Table<T>({ caption, columns, rows, rowKey }: TableProps<T>) {
  const { groups, sentinel } = useIncrementalList(rows.length, GROUP_ROWS);
  return (
    <Scroll>
      <Grid role="table" $tracks={tracksOf(columns)}>
        <caption>
          <Hidden>{caption}</Hidden>
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
          <TableRows key={range.from} rows={rows} columns={columns} rowKey={rowKey} {...range} />
        ))}
      </Grid>
      {sentinel}
    </Scroll>
  );
}
