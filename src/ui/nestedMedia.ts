import type { ComponentProps } from 'react';
import type { StyleSheetManager } from 'styled-components';

type Plugin = NonNullable<ComponentProps<typeof StyleSheetManager>['stylisPlugins']>[number];
type Rule = Parameters<Plugin>[0];

/**
 * Writes `@media` into each of its rules instead of around them. A rule that comes later costs the browser little;
 * an `@media` that does makes it style every element of the page again. So do `@keyframes`: they are in GlobalStyle.
 */
const nestMedia: Plugin = (media, at, all, write) => {
  if (media.type !== '@media' || media.root) return;
  for (const rule of media.children as Rule[])
    write({ ...rule, root: null, children: [{ ...media, root: rule, children: rule.children }] }, at, all, write);
  media.children = [];
};

/** Its name is part of every class, which server and browser have to find alike. */
Object.defineProperty(nestMedia, 'name', { value: 'media' });

export const nested = [nestMedia];
