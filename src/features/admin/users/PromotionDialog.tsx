import type { ListedUser } from '../../../contract/entities';
import { SPEC_MESSAGES } from '../../../contract/specMessages';
import { Dialog } from '../../../ui/Dialog';

type Props = {
  user: ListedUser | undefined;
  busy: boolean;
  onConfirm: (user: ListedUser) => Promise<void>;
  onCancel: () => void;
};

export function PromotionDialog({ user, busy, onConfirm, onCancel }: Props) {
  return (
    <Dialog
      open={user !== undefined}
      title={SPEC_MESSAGES.areYouSure}
      confirm="Make Admin"
      busy={busy}
      onConfirm={() => user && void onConfirm(user)}
      onCancel={onCancel}
    >
      {user && (
        <>
          <p>
            <bdi>{user.email}</bdi> will be able to manage tools and orders, see all users and make other people admins.
          </p>
          {!user.verified && <p>This email isn't verified, so it may belong to someone else.</p>}
        </>
      )}
    </Dialog>
  );
}
