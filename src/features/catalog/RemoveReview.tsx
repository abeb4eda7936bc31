import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useRemoveReviewMutation } from '../../api/apiSlice';
import type { Review } from '../../contract/entities';
import { notify } from '../../feedback/notify';
import { notifyFailure } from '../../feedback/notifyFailure';
import { Button } from '../../ui/Button';
import { DeleteDialog } from '../../ui/DeleteDialog';

const BUTTON_ATTRIBUTE = 'data-remove-review';

/**
 * @returns the element that gets the focus once this button is gone: the next such button, the previous one, or the
 * heading
 */
function neighborOf(button: HTMLElement): HTMLElement | null {
  const section = button.closest('section')!;
  const buttons = [...section.querySelectorAll<HTMLElement>(`[${BUTTON_ATTRIBUTE}]`)];
  const index = buttons.indexOf(button);
  return buttons[index + 1] ?? buttons[index - 1] ?? section.querySelector('h2');
}

type RemovalDialogProps = {
  review: Review;
  /**
   * Must be called before the review is removed.
   * @returns the element that gets the focus afterwards
   */
  findNeighbor: () => HTMLElement | null;
  onClose: (focusTarget?: HTMLElement | null) => void;
};

function RemovalDialog({ review, findNeighbor, onClose }: RemovalDialogProps) {
  const [removeReview, { isLoading }] = useRemoveReviewMutation();
  const isRemoving = useRef(false);
  /** `isRemoving` prevents a second call, because `busy` disables the button only at the next render. */
  async function confirm() {
    if (isRemoving.current) return;
    isRemoving.current = true;
    const neighbor = findNeighbor();
    const { error } = await removeReview(review._id);
    onClose(error ? undefined : neighbor);
    if (error) notifyFailure(error);
    else notify.success('Review removed.');
  }
  return (
    <DeleteDialog open action="Remove" busy={isLoading} onConfirm={() => void confirm()} onCancel={() => onClose()}>
      <p>
        Remove the review by <bdi>{review.name}</bdi>? This can&apos;t be undone.
      </p>
    </DeleteDialog>
  );
}

/** Only admins have this button. Its chunk is never loaded for customers. */
export default function RemoveReview({ review }: { review: Review }) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);

  function close(focusTarget: HTMLElement | null = button.current) {
    flushSync(() => setOpen(false));
    focusTarget?.focus();
  }
  return (
    <div>
      <Button
        ref={button}
        variant="danger"
        aria-label={`Remove the review by ${review.name}`}
        onClick={() => setOpen(true)}
        {...{ [BUTTON_ATTRIBUTE]: '' }}
      >
        Remove
      </Button>
      {isOpen && <RemovalDialog review={review} findNeighbor={() => neighborOf(button.current!)} onClose={close} />}
    </div>
  );
}
