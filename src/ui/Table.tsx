import { memo, type ReactNode } from 'react';
import { Hidden } from './page';
import { Cell, Grid, Head, Row, Scroll } from './tableStyle';
import { useGrowing } from './useGrowing';

export type Column<T> = {
  label: string;
  cell: (row: T, index: number) => ReactNode;
  align?: 'start' | 'end';
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

/** A real table that turns into cards on phones. Roles are said, since `display` would take them away there. */
export function Table<T>({ caption, columns, rows, rowKey }: TableProps<T>) {
  const { shown, sentinel } = useGrowing(rows.length);
  return (
    <Scroll>
      <Grid role="table">
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
        <tbody role="rowgroup">
          {rows.slice(0, shown).map((row, index) => (
            <TableRow key={rowKey(row)} row={row} index={index} columns={columns} />
          ))}
        </tbody>
      </Grid>
      {sentinel}
    </Scroll>
  );
}
