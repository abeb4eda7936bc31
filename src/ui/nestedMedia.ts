import type { ComponentProps } from 'react';
import type { StyleSheetManager } from 'styled-components';

type Plugin = NonNullable<ComponentProps<typeof StyleSheetManager>['stylisPlugins']>[number];
type Rule = Parameters<Plugin>[0];

/**
 * Moves `@media` inside each of its rules. A plain rule that is inserted later is cheap, but a top-level `@media` makes
 * the browser restyle every element of the page (docs/PERFORMANCE.md). The same is true for `@keyframes`, so these are
 * all in GlobalStyle.
 */
const nestMedia: Plugin = (media, index, siblings, serialize) => {
  if (media.type !== '@media' || media.root) return;
  for (const rule of media.children as Rule[])
    serialize(
      { ...rule, root: null, children: [{ ...media, root: rule, children: rule.children }] },
      index,
      siblings,
      serialize,
    );
  media.children = [];
};

/** styled-components hashes the plugin's name into class names, so minification must not change it. */
Object.defineProperty(nestMedia, 'name', { value: 'media' });

export const nestedMediaPlugins = [nestMedia];
