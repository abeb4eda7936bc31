import { useEffect, useId, useMemo, useRef, type ReactNode } from 'react';
import type { ToolImport } from '../../../contract/entities';
import { formatCount } from '../../../contract/formatCount';
import { formatWithCommas } from '../../../contract/formatWithCommas';
import { Button } from '../../../ui/Button';
import { ErrorText, MutedText } from '../../../ui/page';
import { useIncrementalList } from '../../../ui/useIncrementalList';
import { FactsLine, ToolWarning } from './toolRowStyle';
import { PreviewBox, PreviewLine, PreviewList, PreviewTitle, SheetActions } from './sheetStyle';

type Row = ToolImport['rows'][number];
type Change = NonNullable<Row['changes']>[number];

const ROWS_PER_GROUP = 20;
const MAX_SHOWN_CHARACTERS = 80;
const BEFORE_DIFFERENCE = 20;
/** Errors come first. Rows that change nothing are only counted. */
const ORDER: Row['action'][] = ['error', 'change', 'add'];

const shorten = (text: string) =>
  text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text;

/** Long texts are shown from shortly before the place where they differ. */
function shortenPair({ from, to }: Change): string[] {
  if (typeof from !== 'string' || typeof to !== 'string') return [from, to].map(String);
  const isLong = Math.max(from.length, to.length) > MAX_SHOWN_CHARACTERS;
  const difference = isLong ? [...from].findIndex((character, n) => character !== [...to][n]) : 0;
  const start = difference - BEFORE_DIFFERENCE;
  return [from, to].map((text) => (start > 0 ? `…${shorten(text.slice(start))}` : shorten(text)));
}

function ChangedCell({ change }: { change: Change }) {
  const [from, to] = shortenPair(change);
  return (
    <span>
      {change.column}: <del>{from}</del> → <ins>{to}</ins>
    </span>
  );
}

function PreviewRow({ row: { line, name, action, changes = [], errors = [] } }: { row: Row }) {
  return (
    <PreviewLine>
      <strong dir="auto">{name || 'Row without a name'}</strong>
      <FactsLine as="div">
        <span>Line {formatWithCommas(line)}</span>
        {action === 'add' && <span>New tool</span>}
        {changes.map((change) => (
          <ChangedCell key={change.column} change={change} />
        ))}
        {errors.map(({ column, message }) => (
          <ToolWarning key={column}>{column ? `${column}: ${message}` : message}</ToolWarning>
        ))}
      </FactsLine>
    </PreviewLine>
  );
}

function PreviewRows({ rows }: { rows: Row[] }) {
  const sorted = useMemo(() => ORDER.flatMap((action) => rows.filter((row) => row.action === action)), [rows]);
  const { groups, sentinel } = useIncrementalList(sorted.length, ROWS_PER_GROUP);
  const end = groups.at(-1)?.to ?? 0;
  return (
    <PreviewList tabIndex={0} aria-label="Rows">
      {sorted.slice(0, end).map((row) => (
        <PreviewRow key={row.line} row={row} />
      ))}
      {sentinel}
    </PreviewList>
  );
}

function describeCounts({ add, change, same, error }: ToolImport['counts']): string {
  const parts = [
    error > 0 && `${formatWithCommas(error)} with errors`,
    `${formatWithCommas(change)} changed`,
    `${formatWithCommas(add)} new`,
    `${formatWithCommas(same)} unchanged`,
  ];
  return parts.filter(Boolean).join(', ');
}

type PreviewProps = {
  name: string;
  planned: ToolImport;
  busy: boolean;
  error: ReactNode;
  onApply: () => void;
  onClose: () => void;
};

/** What the import would do. It takes the focus, because it appears after the file has been read. */
export function SheetPreview({ name, planned, busy, error, onApply, onClose }: PreviewProps) {
  const { counts, notes, rows } = planned;
  const title = useRef<HTMLHeadingElement>(null);
  const titleId = useId();
  useEffect(() => title.current?.focus(), [planned]);
  const affected = counts.add + counts.change;
  const isPossible = counts.error === 0 && affected > 0;
  return (
    <PreviewBox aria-labelledby={titleId}>
      <PreviewTitle ref={title} id={titleId} tabIndex={-1} dir="auto">
        {name}
      </PreviewTitle>
      <p>{describeCounts(counts)}</p>
      {notes.map((note) => (
        <MutedText key={note}>{note}</MutedText>
      ))}
      {counts.error > 0 && <p>Correct these rows in your file and upload it again. Nothing was changed.</p>}
      {counts.error === 0 && affected === 0 && <p>The shop has all of this already. There is nothing to import.</p>}
      {counts.error + affected > 0 && <PreviewRows rows={rows} />}
      {error && <ErrorText>{error}</ErrorText>}
      <SheetActions>
        {isPossible && (
          <Button busy={busy} onClick={onApply}>
            Import {formatCount(affected, 'tool')}
          </Button>
        )}
        <Button variant="quiet" disabled={busy} onClick={onClose}>
          {isPossible ? 'Cancel' : 'Close'}
        </Button>
      </SheetActions>
    </PreviewBox>
  );
}
