import type { ComponentProps } from 'react';
import type { StyleSheetManager } from 'styled-components';

type Plugin = NonNullable<ComponentProps<typeof StyleSheetManager>['stylisPlugins']>[number];
type Rule = Parameters<Plugin>[0];

/**
 * Moves each `@media` rule into the rules that it contains. When a script inserts a top-level `@media` rule, the
 * browser restyles every element of the page, but plain rules are cheap. `@keyframes` are just as expensive, so all of
 * our own are in GlobalStyle.
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

/**
 * styled-components makes class names from a hash of the plugin's name. It must be the same on the server and in the
 * browser, so minification must not change it.
 */
Object.defineProperty(nestMedia, 'name', { value: 'media' });

export const nestedMediaPlugins = [nestMedia];
