import { CopyButton } from '../../ui/CopyButton';
import { ActionRow, TransactionCode } from './paymentStyle';

export const TransactionId = ({ id }: { id: string }) => (
  <ActionRow>
    <TransactionCode>{id}</TransactionCode>
    <CopyButton label="Copy" textToCopy={id} onRefused={() => 'Select the ID and copy it'} />
  </ActionRow>
);
