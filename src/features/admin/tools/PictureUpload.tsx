import { useRef, useState, type ClipboardEvent, type DragEvent, type ReactNode } from 'react';
import { PICTURE_WIDTHS } from '../../../contract/limits';
import { Button } from '../../../ui/Button';
import { Hint } from '../../../ui/fieldStyle';
import { ErrorText } from '../../../ui/page';
import { isStoredPicture, Picture } from '../../../ui/Picture';
import { PictureActions, PictureDrop } from './pictureStyle';
import { Thumbnail } from './toolRowStyle';
import type { usePictureUpload } from './usePictureUpload';

export type Upload = Pick<ReturnType<typeof usePictureUpload>, 'progress' | 'error' | 'upload' | 'fill'>;
type UploadProps = Upload & {
  img: string;
  /** What `img` was before it was edited. */
  before: string;
  /** The field for the link. */
  children: ReactNode;
};

/** Browsers that read a listed type convert others to it, such as an iPhone's HEIC. */
const TYPES = 'image/jpeg,image/png,image/webp,image/avif,image/gif';

const HINT = `Choose a file, drop it here or paste it. It must be at least ${PICTURE_WIDTHS[0]} pixels wide.`;

/** Takes a picture's file that is chosen, dropped here, or pasted while the focus is here. */
export function PictureUpload({ img, before, progress, error, upload, fill, children }: UploadProps) {
  const picker = useRef<HTMLInputElement>(null);
  const chooseButton = useRef<HTMLButtonElement>(null);
  const [isOver, setOver] = useState(false);
  const isStored = isStoredPicture(img);
  const isNew = isStored && img !== before;
  const take = ({ files }: Pick<DataTransfer, 'files'>) => files[0] && void upload(files[0]);

  const dragOver = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setOver(true);
  };
  const drop = (event: DragEvent) => {
    setOver(false);
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    take(event.dataTransfer);
  };
  /** Some programs copy a text together with a picture of it. */
  const paste = (event: ClipboardEvent) => {
    if (event.clipboardData.files.length === 0 || event.clipboardData.types.includes('text/plain')) return;
    event.preventDefault();
    take(event.clipboardData);
  };
  const remove = () => {
    fill(img === before ? '' : before);
    chooseButton.current?.focus();
  };

  return (
    <PictureDrop
      role="group"
      aria-label="Picture"
      $isOver={isOver}
      onDragOver={dragOver}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      onPaste={paste}
    >
      {children}
      <PictureActions>
        {isStored && (
          <Thumbnail>
            <Picture src={img} sizes="80px" alt="" width={80} height={60} />
          </Thumbnail>
        )}
        <Button ref={chooseButton} variant="quiet" busy={progress !== ''} onClick={() => picker.current?.click()}>
          {isStored ? 'Choose another picture' : 'Choose a picture'}
        </Button>
        {isStored && !progress && (
          <Button variant="quiet" onClick={remove}>
            Remove picture
          </Button>
        )}
        <input
          ref={picker}
          type="file"
          hidden
          accept={TYPES}
          aria-label="Picture file"
          onChange={({ target }) => {
            if (target.files) take({ files: target.files });
            // Otherwise, choosing the same file again would have no effect.
            target.value = '';
          }}
        />
      </PictureActions>
      <Hint role="status">{progress || (isNew ? 'The picture is uploaded.' : HINT)}</Hint>
      {error && <ErrorText>{error}</ErrorText>}
    </PictureDrop>
  );
}
