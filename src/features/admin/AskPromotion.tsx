import type { ListedUser } from '../../contract/entities';
import { SPEC_MESSAGES } from '../../contract/specMessages';
import { Dialog } from '../../ui/Dialog';

type Props = {
  user: ListedUser | undefined;
  busy: boolean;
  onConfirm: (user: ListedUser) => Promise<void>;
  onCancel: () => void;
};

export function AskPromotion({ user, busy, onConfirm, onCancel }: Props) {
  return (
    <Dialog
      open={user !== undefined}
      title={SPEC_MESSAGES.sure}
      confirm="Make Admin"
      busy={busy}
      onConfirm={() => user && void onConfirm(user)}
      onCancel={onCancel}
    >
      {user && (
        <>
          <p>
            <bdi>{user.email}</bdi> will add products, see all users and make others an admin.
          </p>
          {!user.verified && <p>This email is not verified. It may belong to someone else.</p>}
        </>
      )}
    </Dialog>
  );
}
