import { useEffect, useId, useRef, type ReactNode } from 'react';
import styled from 'styled-components';
import { Button } from './Button';
import { dialogFrame } from './dialogFrame';
import { size, space } from './theme';

const Box = styled.dialog`
  ${dialogFrame}
  width: min(440px, calc(100vw - ${space(8)}));
  padding: ${space(6)};
`;

const Title = styled.h2`
  font-size: ${size.title};
`;

const Body = styled.div`
  margin-block: ${space(3)} ${space(6)};
`;

const Buttons = styled.div`
  display: flex;
  flex-wrap: wrap;
  justify-content: flex-end;
  gap: ${space(3)};
`;

export type DialogProps = {
  open: boolean;
  title: string;
  confirm: string;
  cancel?: string;
  danger?: boolean;
  busy?: boolean;
  onConfirm: () => void;
  onCancel: () => void;
  children?: ReactNode;
};

/**
 * A modal `dialog` element. It keeps the focus inside and restores it when it closes. Escape cancels, except while
 * busy.
 */
export function Dialog({ open, title, confirm, cancel = 'Cancel', danger, busy, children, ...handlers }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  const titleId = useId();

  useEffect(() => {
    if (open && !box.current?.open) box.current?.showModal();
    if (!open && box.current?.open) box.current.close();
  }, [open]);

  const handleCancel = (event: { preventDefault: () => void }) => {
    event.preventDefault();
    if (!busy) handlers.onCancel();
  };
  /**
   * At a second Escape, browsers close the dialog without a `cancel` event, so `close` cancels too. A `close` event
   * that arrives after the dialog has been opened again is ignored.
   */
  const handleClose = () => {
    if (!open || box.current?.open) return;
    if (busy) box.current?.showModal();
    else handlers.onCancel();
  };
  return (
    <Box ref={box} aria-labelledby={titleId} onCancel={handleCancel} onClose={handleClose}>
      <Title id={titleId}>{title}</Title>
      <Body>{children}</Body>
      <Buttons>
        <Button variant="quiet" disabled={busy} onClick={handlers.onCancel}>
          {cancel}
        </Button>
        <Button variant={danger ? 'danger' : 'primary'} busy={busy} onClick={handlers.onConfirm}>
          {confirm}
        </Button>
      </Buttons>
    </Box>
  );
}
