import { memo, useLayoutEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import { useEditToolMutation } from '../../../api/apiSlice';
import type { Tool } from '../../../contract/entities';
import { formatDollars, formatWithCommas } from '../../../contract/formatWithCommas';
import { notify } from '../../../feedback/notify';
import { notifyFailure } from '../../../feedback/notifyFailure';
import { Button } from '../../../ui/Button';
import { Picture } from '../../../ui/Picture';
import { EditToolForm } from './EditToolForm';
import { RestockForm } from './RestockForm';
import { ToolActions, FactsLine, ToolItem, ToolName, ToolWarning, ToolSummary, Thumbnail } from './toolRowStyle';

export type Panel = 'restock' | 'edit';
type RowProps = { tool: Tool; panel: Panel | undefined; onPanel: (id: string, panel: Panel | undefined) => void };

const LABELS: Record<Panel, string> = { restock: 'Restock', edit: 'Edit' };

function SaleButton({ tool: { _id, name, ...tool } }: { tool: Tool }) {
  const onSale = tool.onSale !== false;
  const [editTool, { isLoading }] = useEditToolMutation();
  const label = onSale ? 'Stop selling' : 'Start selling';
  const toggle = async () => {
    try {
      await editTool({ id: _id, change: { onSale: !onSale } }).unwrap();
      notify.success(onSale ? `${name} isn't for sale anymore.` : `${name} is for sale.`);
    } catch (error) {
      notifyFailure(error);
    }
  };
  return (
    <Button variant="quiet" busy={isLoading} aria-label={`${label}: ${name}`} onClick={() => void toggle()}>
      {label}
    </Button>
  );
}

const ToolFacts = ({ tool }: { tool: Tool }) => (
  <FactsLine>
    <span>{formatDollars(tool.price)}</span>
    <span>{formatWithCommas(tool.availableQuantity)} in stock</span>
    <span>Minimum {formatWithCommas(tool.minimumOrderQuantity)}</span>
    {tool.availableQuantity < tool.minimumOrderQuantity && <ToolWarning>Below the minimum order</ToolWarning>}
    {tool.onSale === false && <ToolWarning>Not for sale</ToolWarning>}
  </FactsLine>
);

/** Memoized, so that a row is not rendered again when the admin types a search or edits another tool. */
export const ToolRow = memo(function ToolRow({ tool, panel, onPanel }: RowProps) {
  const { _id, name, img } = tool;
  const buttons = useRef<Partial<Record<Panel, HTMLButtonElement | null>>>({});

  const latestPanel = useRef(panel);
  useLayoutEffect(() => void (latestPanel.current = panel), [panel]);

  /** Closes the form, unless the admin has closed it, and moves the focus back to the button that opened it. */
  const close = (closed: Panel) => {
    if (latestPanel.current !== closed) return;
    flushSync(() => onPanel(_id, undefined));
    buttons.current[closed]?.focus();
  };
  const panelButton = (target: Panel) => {
    const isOpen = panel === target;
    const label = isOpen ? 'Close' : LABELS[target];
    return (
      <Button
        ref={(button) => void (buttons.current[target] = button)}
        variant="quiet"
        aria-expanded={isOpen}
        aria-label={`${label}: ${name}`}
        onClick={() => onPanel(_id, isOpen ? undefined : target)}
      >
        {label}
      </Button>
    );
  };

  return (
    <ToolItem>
      <ToolSummary>
        <Thumbnail>
          <Picture src={img} toolName={name} sizes="80px" alt="" width={80} height={60} />
        </Thumbnail>
        <div>
          <ToolName dir="auto">{name}</ToolName>
          <ToolFacts tool={tool} />
        </div>
        <ToolActions>
          {panelButton('restock')}
          {panelButton('edit')}
          <SaleButton tool={tool} />
        </ToolActions>
      </ToolSummary>
      {panel === 'restock' && <RestockForm tool={tool} onDone={() => close('restock')} />}
      {panel === 'edit' && <EditToolForm tool={tool} onDone={() => close('edit')} />}
    </ToolItem>
  );
});
