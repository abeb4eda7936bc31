import { useEffect, useRef, type RefObject } from 'react';
import styled from 'styled-components';
import { Button } from './Button';
import { dialogFrame } from './dialogFrame';
import { Picture, type PictureProps } from './Picture';
import { size, space } from './theme';

export type LargePictureProps = PictureProps & { toolName: string; onClose: () => void };

/** The width depends on the window's height, so that the name and the button below the picture are always in view. */
const Box = styled.dialog`
  ${dialogFrame}
  width: min(960px, calc(100vw - ${space(8)}), calc((100vh - ${space(32)}) * 4 / 3));
  padding: 0;
`;

const Bar = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: ${space(2)} ${space(4)};
  padding: ${space(3)} ${space(4)};
  p {
    font-size: ${size.lead};
    font-weight: 600;
  }
`;

/** Adds a history entry while the picture is open, so that Back closes the picture and does not leave the page. */
function useCloseOnBack(dialog: RefObject<HTMLDialogElement | null>) {
  useEffect(() => {
    const close = () => dialog.current?.close();
    history.pushState({ ...history.state, isPictureOpen: true }, '');
    window.addEventListener('popstate', close);
    return () => {
      window.removeEventListener('popstate', close);
      if ((history.state as { isPictureOpen?: boolean } | null)?.isPictureOpen) history.back();
    };
  }, [dialog]);
}

/** A modal `dialog` element. It keeps the focus inside, closes on Escape, and then restores the focus. */
export default function LargePicture({ src, toolName, onClose }: LargePictureProps) {
  const box = useRef<HTMLDialogElement>(null);
  const close = () => box.current!.close();
  useEffect(() => box.current!.showModal(), []);
  useCloseOnBack(box);
  return (
    <Box ref={box} aria-label={toolName} onClose={onClose} onClick={({ target }) => target === box.current && close()}>
      <Picture src={src} toolName={toolName} sizes="(min-width: 1024px) 960px, 94vw" alt="" width={1200} height={900} />
      <Bar>
        <p dir="auto">{toolName}</p>
        <Button variant="quiet" onClick={close}>
          Close
        </Button>
      </Bar>
    </Box>
  );
}
