import { Fragment, memo, useRef, type ReactNode } from 'react';
import {
  DetailsRow,
  TableGrid,
  TableHead,
  ROWS_OF_FIRST_SCREEN,
  ROWS_PER_GROUP,
  ROWS_PER_SECTION,
  ROWS_PER_STEP,
  RowGroup,
  ScrollArea,
} from './tableStyle';
import { useFarFromViewport } from './useFarFromViewport';
import { useIncrementalList } from './useIncrementalList';

export type Column<T> = {
  label: string;
  cell: (row: T, index: number, isOpen: boolean) => ReactNode;
  align?: 'start' | 'end';
  /** The column's width in the grid. By default, it gets an equal share of the remaining width. */
  width?: string;
  nowrap?: boolean;
  /** On a card, a cell has its label above it, unless it is `plain` or a `line` of its own at the top. */
  card?: 'plain' | 'line';
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

const HEADER_ROWS = 1;

type TableRowProps<T> = { row: T; index: number; columns: Column<T>[]; isOpen: boolean };

function PlainRow<T>({ row, index, columns, isOpen }: TableRowProps<T>) {
  return (
    <div role="row" data-row aria-rowindex={HEADER_ROWS + index + 1}>
      {columns.map(({ label, cell, align = 'start', nowrap, card }) => (
        <div key={label} role="cell" data-label={label} data-align={align} data-nowrap={nowrap} data-card={card}>
          {cell(row, index, isOpen)}
        </div>
      ))}
    </div>
  );
}

/** Memoized, which works only if `columns` is the same object on every render. */
const TableRow = memo(PlainRow) as typeof PlainRow;

type PartProps<T> = Pick<TableProps<T>, 'columns' | 'rows' | 'rowKey' | 'opened'> & { from: number; to: number };

/** `estimate` is the height in pixels that the browser assumes until it has rendered the rows. */
function PlainRowGroup<T>({ rows, from, to, columns, rowKey, opened, estimate }: PartProps<T> & { estimate?: number }) {
  const style = estimate === undefined ? undefined : { containIntrinsicSize: `auto ${estimate}px` };
  return (
    <RowGroup role="rowgroup" data-first={from < ROWS_OF_FIRST_SCREEN} style={style}>
      {rows.slice(from, to).map((row, i) => {
        const key = rowKey(row);
        const isOpen = key === opened?.key;
        return (
          <Fragment key={key}>
            <TableRow row={row} index={from + i} columns={columns} isOpen={isOpen} />
            {isOpen && (
              <DetailsRow role="row">
                <div role="cell" aria-colspan={columns.length}>
                  {opened!.details}
                </div>
              </DetailsRow>
            )}
          </Fragment>
        );
      })}
    </RowGroup>
  );
}

const isSamePart = <T,>(before: PartProps<T>, now: PartProps<T>) =>
  before.from === now.from &&
  before.to === now.to &&
  before.columns === now.columns &&
  before.opened === now.opened &&
  (before.rows === now.rows || now.rows.slice(now.from, now.to).every((row, i) => row === before.rows[now.from + i]));

const TableRowGroup = memo(PlainRowGroup, isSamePart) as typeof PlainRowGroup;

/** Divides the props of a part of the table into those of smaller parts. Only one of them has the open row. */
function divide<T>({ from, to, opened, ...shared }: PartProps<T>, size: number): PartProps<T>[] {
  const openIndex = opened ? shared.rows.findIndex((row) => shared.rowKey(row) === opened.key) : -1;
  return Array.from({ length: Math.ceil((to - from) / size) }, (_, i) => {
    const [start, end] = [from + i * size, Math.min(from + (i + 1) * size, to)];
    return { ...shared, from: start, to: end, opened: openIndex >= start && openIndex < end ? opened : undefined };
  });
}

function PlainSection<T>(props: PartProps<T>) {
  const section = useRef<HTMLDivElement>(null);
  const { isFar, height, groupHeights } = useFarFromViewport(section, props.opened !== undefined);
  return (
    <div role="presentation" ref={section} style={isFar ? { height } : undefined}>
      {!isFar &&
        divide(props, ROWS_PER_GROUP).map((group, i) => (
          <TableRowGroup key={group.from} {...group} estimate={groupHeights?.[i]} />
        ))}
    </div>
  );
}

/**
 * Rows are in groups, and groups in sections. Far from the viewport, a section has no rows, and nearer, the browser can
 * skip groups that are out of view. So scrolling, deleting a row and opening a dialog are as fast with 10,000 rows as
 * with few. A group or section is rendered again only if one of its rows, its open row or the columns have changed.
 */
const TableSection = memo(PlainSection, isSamePart) as typeof PlainSection;

const EQUAL_SHARE = 'minmax(0, 1fr)';
const gridTracks = (columns: { width?: string }[]) => columns.map(({ width = EQUAL_SHARE }) => width).join(' ');

/**
 * A table whose rows become cards on narrow screens. It has roles instead of native table elements, because HTML
 * allows no sections between a table and its row groups.
 */
export function Table<T>({ caption, columns, rows, rowKey, opened, loadMore }: TableProps<T>) {
  const { groups, sentinel } = useIncrementalList(rows.length, ROWS_PER_GROUP, { loadMore, step: ROWS_PER_STEP });
  const shown = { columns, rows, rowKey, opened, from: 0, to: groups.at(-1)?.to ?? 0 };
  return (
    <ScrollArea>
      <TableGrid
        role="table"
        aria-label={caption}
        aria-rowcount={loadMore ? -1 : HEADER_ROWS + rows.length}
        $tracks={gridTracks(columns)}
      >
        <TableHead role="rowgroup">
          <div role="row" aria-rowindex={1}>
            {columns.map(({ label, align = 'start' }) => (
              <div key={label} role="columnheader" data-align={align}>
                {label}
              </div>
            ))}
          </div>
        </TableHead>
        {divide(shown, ROWS_PER_SECTION).map((section) => (
          <TableSection key={section.from} {...section} />
        ))}
      </TableGrid>
      {sentinel}
    </ScrollArea>
  );
}
