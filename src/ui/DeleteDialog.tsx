import { SPEC_MESSAGES } from '../contract/specMessages';
import { Dialog, type DialogProps } from './Dialog';

type DeleteDialogProps = Omit<DialogProps, 'title' | 'confirm' | 'cancel' | 'danger'> & {
  /** The label of the button that deletes. */
  action?: string;
};

export const DeleteDialog = ({ action = 'Delete', ...dialog }: DeleteDialogProps) => (
  <Dialog {...dialog} title={SPEC_MESSAGES.areYouSure} confirm={action} cancel="Keep it" danger />
);
