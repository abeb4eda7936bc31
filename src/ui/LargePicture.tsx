import { useEffect, useRef, useState, type RefObject } from 'react';
import styled, { css } from 'styled-components';
import { Button } from './Button';
import { dialogFrame } from './dialogFrame';
import { Picture, type PictureProps } from './Picture';
import { color, media, size, space } from './theme';

export type LargePictureProps = PictureProps & { toolName: string; onClose: () => void };

/** On a phone, the picture fills the window. When it is zoomed, only the bar below it does not scroll. */
const fullScreen = css<{ $isZoomed: boolean }>`
  width: 100vw;
  max-width: none;
  height: 100dvh;
  max-height: none;
  border: 0;
  border-radius: 0;
  overscroll-behavior: contain;
  &[open] {
    display: grid;
    grid-template: ${({ $isZoomed }) =>
      $isZoomed
        ? 'minmax(min(150vw, 900px), 1fr) auto / minmax(min(200vw, 1200px), 1fr)'
        : 'minmax(0, 1fr) auto / minmax(0, 1fr)'};
  }
  img {
    height: 100%;
  }
  source {
    display: none;
  }
  > :last-child {
    position: sticky;
    inset: auto auto 0 0;
    width: 100vw;
    background: ${color.surface};
  }
`;

/** The width depends on the window's height, so that the name and the button below the picture are always in view. */
const Box = styled.dialog<{ $isZoomed: boolean }>`
  ${dialogFrame}
  width: min(960px, calc(100vw - ${space(8)}), calc((100vh - ${space(32)}) * 4 / 3));
  padding: 0;
  ${media.phone} {
    ${fullScreen}
  }
  ${media.low} {
    ${fullScreen}
  }
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

const ZoomButton = styled(Button)`
  display: none;
  margin-inline-start: auto;
  ${media.phone} {
    display: inline-flex;
  }
  ${media.low} {
    display: inline-flex;
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
  const [isZoomed, setZoomed] = useState(false);
  const close = () => box.current!.close();
  useEffect(() => box.current!.showModal(), []);
  useEffect(() => {
    const dialog = box.current!;
    dialog.scrollLeft = (dialog.scrollWidth - dialog.clientWidth) / 2;
    dialog.scrollTop = (dialog.scrollHeight - dialog.clientHeight) / 2;
  }, [isZoomed]);
  useCloseOnBack(box);
  return (
    <Box
      ref={box}
      $isZoomed={isZoomed}
      aria-label={toolName}
      onClose={onClose}
      onClick={({ target }) => target === box.current && close()}
    >
      <Picture src={src} toolName={toolName} sizes="1200px" alt="" width={1200} height={900} />
      <Bar>
        <p dir="auto">{toolName}</p>
        <ZoomButton variant="quiet" onClick={() => setZoomed(!isZoomed)}>
          {isZoomed ? 'Zoom out' : 'Zoom in'}
        </ZoomButton>
        <Button variant="quiet" onClick={close}>
          Close
        </Button>
      </Bar>
    </Box>
  );
}
