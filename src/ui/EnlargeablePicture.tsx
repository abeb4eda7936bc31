import { useEffect, useRef, useState, type MouseEvent } from 'react';
import { createPortal } from 'react-dom';
import styled from 'styled-components';
import { safeHref } from '../contract/links';
import { Button } from './Button';
import { dialogFrame } from './dialogFrame';
import { Picture, type PictureProps } from './Picture';
import { size, space } from './theme';

const PictureLink = styled.a`
  display: block;
  cursor: zoom-in;
  &:focus-visible {
    outline-offset: -3px;
  }
`;

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

type EnlargeableProps = PictureProps & { toolName: string };

/** A modal `dialog` element. It keeps the focus inside, closes on Escape, and then restores the focus. */
function LargePicture({ src, toolName, onClose }: EnlargeableProps & { onClose: () => void }) {
  const box = useRef<HTMLDialogElement>(null);
  const close = () => box.current!.close();
  useEffect(() => box.current!.showModal(), []);
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

const opensElsewhere = ({ metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) => metaKey || ctrlKey || shiftKey || altKey;

/** A picture that opens enlarged in a dialog. It is a link to its file, so that it works without scripts. */
export function EnlargeablePicture(picture: EnlargeableProps) {
  const [isOpen, setOpen] = useState(false);
  const href = safeHref(picture.src);
  if (!href) return <Picture {...picture} />;
  const open = (event: MouseEvent) => {
    if (opensElsewhere(event)) return;
    event.preventDefault();
    setOpen(true);
  };
  return (
    <>
      <PictureLink
        href={href}
        rel="noreferrer"
        aria-label={`Enlarge the picture of ${picture.toolName}`}
        onClick={open}
      >
        <Picture {...picture} />
      </PictureLink>
      {isOpen && createPortal(<LargePicture {...picture} onClose={() => setOpen(false)} />, document.body)}
    </>
  );
}
