import { useState, type ComponentPropsWithRef } from 'react';
import styled from 'styled-components';
import { PICTURE_WIDTHS } from '../contract/limits';
import { safeHref } from '../contract/links';
import { color } from './theme';

/** The widths that tools/art/finish.mjs renders for each folder. The name of the widest file does not contain its width. */
const WIDTHS = { tools: [400, 768, 1200], pages: [400, 768, 1200], slides: [480, 1080, 1600] } as const;

const SHOP_PHOTO = /^(\/images\/(tools|pages|slides)\/[\w-]+)\.webp$/;

function srcSet(path: string, widths: readonly number[], extension: string) {
  const widest = widths.at(-1);
  return widths.map((width) => `${path}${width === widest ? '' : `-${width}`}.${extension} ${width}w`).join(', ');
}

/** @returns the photo's path without its extension and its folder, or null for a link that is not a photo of the shop */
export function parseShopPhoto(src: string) {
  const [, path, folder] = SHOP_PHOTO.exec(src) ?? [];
  return path ? { path, folder: folder as keyof typeof WIDTHS } : null;
}

/** @returns a `srcSet` for each format if the shop hosts the photo, or null for any other link */
export function listResponsiveSources(src: string) {
  const photo = parseShopPhoto(src);
  if (!photo) return null;
  const { path, folder } = photo;
  const widths = WIDTHS[folder];
  return { avif: srcSet(path, widths, 'avif'), webp: srcSet(path, widths, 'webp') };
}

/** @returns whether an admin has uploaded the picture */
export const isStoredPicture = (src: string) => src.startsWith('/picture/');
const storedSrcSet = (src: string) => PICTURE_WIDTHS.map((width) => `${src}?w=${width} ${width}w`).join();

const PLACEHOLDER = '/images/placeholder.svg';

/**
 * The background of the shop's photos. It is visible while they load, and behind tools, whose photos are transparent.
 */
export const PHOTO_BACKGROUND = `radial-gradient(circle at 38% 36%, ${color.photoLight}, ${color.photo} 75%)`;

const Frame = styled.picture`
  display: contents;
`;

/** Tools are shown whole: the shop's photos of them are transparent, and an admin's photo can be upright. */
const Image = styled.img<{ $round: boolean; $isShopPhoto: boolean; $whole: boolean }>`
  width: 100%;
  height: auto;
  aspect-ratio: ${({ width = 4, height = 3 }) => `${width} / ${height}`};
  object-fit: ${({ $whole }) => ($whole ? 'contain' : 'cover')};
  border-radius: ${({ $round }) => ($round ? '50%' : '0')};
  background: ${({ $isShopPhoto }) => ($isShopPhoto ? PHOTO_BACKGROUND : color.plate)};
`;

export type PictureProps = Omit<ComponentPropsWithRef<'img'>, 'width' | 'height' | 'src'> & {
  src: string;
  alt: string;
  width: number;
  height: number;
  /** Whether to load the picture at once. Otherwise it is loaded when it comes near the viewport. */
  eager?: boolean;
  round?: boolean;
  /** The picture to show instead if this one does not load. */
  placeholder?: string;
  /** The tool's name. If the picture does not load, a drawing is chosen by this name. */
  toolName?: string;
};

const loadFallbackDrawing = (name: string) =>
  import(/* webpackChunkName: "drawings" */ './toolDrawingPath').then(
    ({ toolDrawingPath }) => toolDrawingPath(name) ?? PLACEHOLDER,
    () => PLACEHOLDER,
  );
const hasFailedToLoad = (img: HTMLImageElement) => img.complete && img.naturalWidth === 0;

/**
 * A picture with a fixed aspect ratio. If its link is not safe or does not load, its placeholder or a drawing of the
 * tool is shown instead.
 */
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
  const sources = listResponsiveSources(shownSrc);
  const isStored = isStoredPicture(shownSrc);
  const image = (
    <Image
      referrerPolicy="no-referrer"
      decoding="async"
      loading={eager ? 'eager' : 'lazy'}
      fetchPriority={eager ? 'high' : 'auto'}
      {...attributes}
      $round={round}
      $isShopPhoto={isStored || !!sources}
      $whole={isStored || toolName !== undefined}
      ref={(img) => void (img && hasFailedToLoad(img) && showFallback())}
      {...(isStored && { srcSet: storedSrcSet(shownSrc), sizes })}
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
