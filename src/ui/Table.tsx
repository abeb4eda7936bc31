import { Fragment, memo, type ReactNode } from 'react';
import { VisuallyHidden } from './page';
import { Cell, DetailsRow, Grid, ROWS_PER_GROUP, Head, Row, RowGroup, Scroll } from './tableStyle';
import { useIncrementalList } from './useIncrementalList';

export type Column<T> = {
  label: string;
  cell: (row: T, index: number, isOpen: boolean) => ReactNode;
  align?: 'start' | 'end';
  /** The column's width in the grid. By default, it gets an equal share of the remaining width. */
  width?: string;
};

type TableProps<T> = {
  caption: string;
  columns: Column<T>[];
  rows: readonly T[];
  rowKey: (row: T) => string;
  /** The open row. Its details are below it. */
  opened?: { key: string; details: ReactNode } | undefined;
  /** Called when the end of the rows comes near the viewport. Undefined if there are no more rows to load. */
  loadMore?: (() => void) | undefined;
};

type TableRowProps<T> = { row: T; index: number; columns: Column<T>[]; isOpen: boolean };

function PlainRow<T>({ row, index, columns, isOpen }: TableRowProps<T>) {
  return (
    <Row role="row">
      {columns.map(({ label, cell, align = 'start' }) => (
        <Cell key={label} role="cell" data-label={label} data-align={align}>
          {cell(row, index, isOpen)}
        </Cell>
      ))}
    </Row>
  );
}

/** Memoized, which works only if `columns` is the same object on every render. */
const TableRow = memo(PlainRow) as typeof PlainRow;

type GroupProps<T> = Pick<TableProps<T>, 'columns' | 'rows' | 'rowKey' | 'opened'> & { from: number; to: number };

function PlainRowGroup<T>({ rows, from, to, columns, rowKey, opened }: GroupProps<T>) {
  return (
    <RowGroup role="rowgroup">
      {rows.slice(from, to).map((row, i) => {
        const key = rowKey(row);
        const isOpen = key === opened?.key;
        return (
          <Fragment key={key}>
            <TableRow row={row} index={from + i} columns={columns} isOpen={isOpen} />
            {isOpen && (
              <DetailsRow role="row">
                <td role="cell" colSpan={columns.length}>
                  {opened!.details}
                </td>
              </DetailsRow>
            )}
          </Fragment>
        );
      })}
    </RowGroup>
  );
}

const isSameGroup = <T,>(before: GroupProps<T>, now: GroupProps<T>) =>
  before.from === now.from &&
  before.to === now.to &&
  before.columns === now.columns &&
  before.opened === now.opened &&
  (before.rows === now.rows || now.rows.slice(now.from, now.to).every((row, i) => row === before.rows[now.from + i]));

/**
 * Rows are in groups. The browser can skip groups out of view, so that a dialog above a long table opens fast. A group
 * is rendered again only if one of its rows has changed, so that adding a page takes no longer in a table of 10,000
 * rows than in a short one.
 */
const TableRowGroup = memo(PlainRowGroup, isSameGroup) as typeof PlainRowGroup;

const EQUAL_SHARE = 'minmax(0, 1fr)';
const gridTracks = (columns: { width?: string }[]) => columns.map(({ width = EQUAL_SHARE }) => width).join(' ');

/**
 * A table whose rows become cards on narrow screens. Its roles are explicit, because changing `display` removes the
 * native ones.
 */
export function Table<T>({ caption, columns, rows, rowKey, opened, loadMore }: TableProps<T>) {
  const { groups, sentinel } = useIncrementalList(rows.length, ROWS_PER_GROUP, { loadMore });
  const openIndex = opened ? rows.findIndex((row) => rowKey(row) === opened.key) : -1;
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
          <TableRowGroup
            key={range.from}
            rows={rows}
            columns={columns}
            rowKey={rowKey}
            opened={openIndex >= range.from && openIndex < range.to ? opened : undefined}
            {...range}
          />
        ))}
      </Grid>
      {sentinel}
    </Scroll>
  );
}
