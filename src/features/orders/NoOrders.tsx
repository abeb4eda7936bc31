import { ButtonLink } from '../../ui/Button';
import { Notice } from '../../ui/Notice';
import { Picture } from '../../ui/Picture';

export function NoOrders() {
  return (
    <Notice title="No orders yet">
      <Picture src="/images/empty-orders.svg" alt="" width={480} height={320} style={{ maxWidth: '280px' }} />
      <p>What you order stands here until it is paid, and after.</p>
      <ButtonLink to="/">See the tools</ButtonLink>
    </Notice>
  );
}
