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
