import type { MouseEvent } from 'react';

/** @returns whether the browser opens the clicked link in another tab or window, or downloads it */
export const opensElsewhere = ({ metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  metaKey || ctrlKey || shiftKey || altKey;
