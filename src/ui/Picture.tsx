import { useState, type ComponentPropsWithRef } from 'react';
import styled from 'styled-components';
import { safeHref } from '../contract/links';
import { color } from './theme';

/** The widths that art/finish.mjs renders. The file of the widest has no width in its name. */
const WIDTHS = { tools: [400, 768, 1200], pages: [400, 768, 1200], slides: [480, 1080, 1600] } as const;

const SHOP_PHOTO = /^(\/images\/(tools|pages|slides)\/[\w-]+)\.webp$/;

function srcSet(path: string, widths: readonly number[], extension: string) {
  const widest = widths.at(-1);
  return widths.map((width) => `${path}${width === widest ? '' : `-${width}`}.${extension} ${width}w`).join(', ');
}

/** @returns the `srcSet` of each format for a photo that the shop hosts, or null for any other link */
export function responsiveSources(src: string) {
  const [, path, folder] = SHOP_PHOTO.exec(src) ?? [];
  if (!path) return null;
  const widths = WIDTHS[folder as keyof typeof WIDTHS];
  return { avif: srcSet(path, widths, 'avif'), webp: srcSet(path, widths, 'webp') };
}

const PLACEHOLDER = '/images/placeholder.svg';

/** The shop's photos are transparent, so this shows behind them and while they load. */
const PHOTO_BACKGROUND = `radial-gradient(circle at 38% 36%, ${color.photoLight}, ${color.photo} 75%)`;

const Frame = styled.picture`
  display: contents;
`;

const Image = styled.img<{ $round: boolean; $isShopPhoto: boolean }>`
  width: 100%;
  height: auto;
  aspect-ratio: ${({ width = 4, height = 3 }) => `${width} / ${height}`};
  object-fit: cover;
  border-radius: ${({ $round }) => ($round ? '50%' : '0')};
  background: ${({ $isShopPhoto }) => ($isShopPhoto ? PHOTO_BACKGROUND : color.plate)};
`;

export type PictureProps = Omit<ComponentPropsWithRef<'img'>, 'width' | 'height' | 'src'> & {
  src: string;
  alt: string;
  width: number;
  height: number;
  /** Loads immediately instead of near the viewport: for pictures on the first screen. */
  eager?: boolean;
  round?: boolean;
  /** Shown if the picture does not load. */
  placeholder?: string;
  /** The tool's name, which chooses the drawing to show if the picture does not load. */
  toolName?: string;
};

const loadFallbackDrawing = (name: string) =>
  import(/* webpackChunkName: "drawings" */ './drawingOf').then(
    ({ drawingOf }) => drawingOf(name) ?? PLACEHOLDER,
    () => PLACEHOLDER,
  );
const hasFailedToLoad = (img: HTMLImageElement) => img.complete && img.naturalWidth === 0;

/** A picture with a fixed aspect ratio. An unsafe link and a picture that does not load become a drawing. */
export function Picture({
  src,
  sizes,
  toolName,
  eager = false,
  round = false,
  placeholder = PLACEHOLDER,
  ...attributes
}: PictureProps) {
  const [brokenSrc, setBrokenSrc] = useState('');
  const [fallback, setFallback] = useState(placeholder);
  const safeSrc = safeHref(src);
  const shownSrc = safeSrc && brokenSrc !== safeSrc ? safeSrc : fallback;
  const showFallback = () => {
    if (shownSrc === fallback) return;
    setBrokenSrc(shownSrc);
    if (toolName) void loadFallbackDrawing(toolName).then(setFallback);
  };
  const sources = responsiveSources(shownSrc);
  const image = (
    <Image
      referrerPolicy="no-referrer"
      decoding="async"
      loading={eager ? 'eager' : 'lazy'}
      fetchPriority={eager ? 'high' : 'auto'}
      {...attributes}
      $round={round}
      $isShopPhoto={sources !== null}
      ref={(img) => void (img && hasFailedToLoad(img) && showFallback())}
      src={shownSrc}
      onError={showFallback}
    />
  );
  if (!sources) return image;
  return (
    <Frame>
      <source type="image/avif" srcSet={sources.avif} sizes={sizes} />
      <source type="image/webp" srcSet={sources.webp} sizes={sizes} />
      {image}
    </Frame>
  );
}
