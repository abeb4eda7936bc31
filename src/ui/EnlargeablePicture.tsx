import { useState, type ComponentType, type MouseEvent } from 'react';
import { createPortal } from 'react-dom';
import styled from 'styled-components';
import { safeHref } from '../contract/links';
import { withOneRetry } from './deferredComponent';
import type { LargePictureProps } from './LargePicture';
import { opensElsewhere } from './opensElsewhere';
import { Picture } from './Picture';

const loadLargePicture = () => import(/* webpackChunkName: "large-picture" */ './LargePicture');

const PictureLink = styled.a`
  display: block;
  cursor: zoom-in;
  &:focus-visible {
    outline-offset: -3px;
  }
`;

/**
 * A picture that opens enlarged in a dialog. It is a link to its file, so that it works without scripts and if the
 * dialog's chunk does not load.
 */
export function EnlargeablePicture(picture: Omit<LargePictureProps, 'onClose'>) {
  const [LargePicture, setLargePicture] = useState<ComponentType<LargePictureProps>>();
  const href = safeHref(picture.src);
  if (!href) return <Picture {...picture} />;
  const open = (event: MouseEvent) => {
    if (opensElsewhere(event)) return;
    event.preventDefault();
    withOneRetry(loadLargePicture).then(
      (loaded) => setLargePicture(() => loaded.default),
      () => location.assign(href),
    );
  };
  const close = () => setLargePicture(undefined);
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
      {LargePicture && createPortal(<LargePicture {...picture} onClose={close} />, document.body)}
    </>
  );
}
