import { useState, type ComponentPropsWithRef } from 'react';
import styled from 'styled-components';
import { safeHref } from '../contract/links';
import { color } from './theme';

/** Our own photographs come in these widths, the widest under the plain name: art/finish.mjs makes them. */
const WIDTHS = { tools: [400, 768, 1200], pages: [400, 768, 1200], slides: [480, 1080, 1600] } as const;

const OWN = /^(\/images\/(tools|pages|slides)\/[\w-]+)\.webp$/;

function srcSet(path: string, widths: readonly number[], kind: string) {
  const plain = widths.at(-1);
  return widths.map((width) => `${path}${width === plain ? '' : `-${width}`}.${kind} ${width}w`).join(', ');
}

/** What a photograph of ours is to be had as, or null for any other link. */
export function ownSources(src: string) {
  const [, path, folder] = OWN.exec(src) ?? [];
  if (!path) return null;
  const widths = WIDTHS[folder as keyof typeof WIDTHS];
  return { avif: srcSet(path, widths, 'avif'), webp: srcSet(path, widths, 'webp') };
}

const PLACEHOLDER = '/images/placeholder.svg';

/** Our photographs have no background of their own: this light is what one sees until they come, and behind them. */
const STAGE = `radial-gradient(circle at 38% 36%, ${color.stageLight}, ${color.stage} 75%)`;

const Frame = styled.picture`
  display: contents;
`;

const Image = styled.img<{ $round: boolean; $own: boolean }>`
  width: 100%;
  height: auto;
  aspect-ratio: ${({ width = 4, height = 3 }) => `${width} / ${height}`};
  object-fit: cover;
  border-radius: ${({ $round }) => ($round ? '50%' : '0')};
  background: ${({ $own }) => ($own ? STAGE : color.plate)};
`;

type PictureProps = Omit<ComponentPropsWithRef<'img'>, 'width' | 'height' | 'src'> & {
  src: string;
  alt: string;
  width: number;
  height: number;
  /** Part of the first screen: fetched at once instead of when near. */
  eager?: boolean;
  round?: boolean;
  /** A tool's name: should its picture not come, its family's drawing does. */
  of?: string;
};

const familyDrawing = (name: string) =>
  import(/* webpackChunkName: "drawings" */ './drawingOf').then(
    ({ drawingOf }) => drawingOf(name) ?? PLACEHOLDER,
    () => PLACEHOLDER,
  );
const brokenAlready = (img: HTMLImageElement) => img.complete && img.naturalWidth === 0;

/** A picture in a box of fixed ratio. What is not a safe link, or does not load, becomes a drawing. */
export function Picture({ src, sizes, of, eager = false, round = false, ...rest }: PictureProps) {
  const [broken, setBroken] = useState('');
  const [instead, setInstead] = useState(PLACEHOLDER);
  const safe = safeHref(src);
  const shown = safe && broken !== safe ? safe : instead;
  const fail = () => {
    if (shown === instead) return;
    setBroken(shown);
    if (of) void familyDrawing(of).then(setInstead);
  };
  const own = ownSources(shown);
  const image = (
    <Image
      referrerPolicy="no-referrer"
      decoding="async"
      loading={eager ? 'eager' : 'lazy'}
      fetchPriority={eager ? 'high' : 'auto'}
      {...rest}
      $round={round}
      $own={own !== null}
      ref={(img) => void (img && brokenAlready(img) && fail())}
      src={shown}
      onError={fail}
    />
  );
  if (!own) return image;
  return (
    <Frame>
      <source type="image/avif" srcSet={own.avif} sizes={sizes} />
      <source type="image/webp" srcSet={own.webp} sizes={sizes} />
      {image}
    </Frame>
  );
}
