import type { Page } from 'playwright-core';

/** The text spacing of WCAG 1.4.12, which must not cause loss of content. */
export const TEXT_SPACING = `
  * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
  p { margin-bottom: 2em !important; }
`;

/**
 * Finds text that is cut off. It ignores text that only screen readers read, slides that are not shown, and text that
 * is shortened with any spacing: names on one line, and descriptions that a click expands.
 */
function clippedText(root: string): string[] {
  const TOLERANCE_PX = 2;
  const cut: string[] = [];
  const walker = document.createTreeWalker(document.querySelector(root)!, NodeFilter.SHOW_TEXT);
  const isCutBy = (box: Element, style: CSSStyleDeclaration, text: DOMRect) => {
    const edges = box.getBoundingClientRect();
    const isShortened = style.textOverflow === 'ellipsis' || box.nextElementSibling?.tagName === 'DETAILS';
    if (edges.width <= 1 || edges.height <= 1 || isShortened) return false;
    const isTooWide = text.right > edges.right + TOLERANCE_PX || text.left < edges.left - TOLERANCE_PX;
    const isTooHigh = text.bottom > edges.bottom + TOLERANCE_PX || text.top < edges.top - TOLERANCE_PX;
    return (/hidden|clip/.test(style.overflowX) && isTooWide) || (/hidden|clip/.test(style.overflowY) && isTooHigh);
  };
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement!;
    if (!node.textContent!.trim() || parent.closest('[inert]')) continue;
    if (!parent.checkVisibility({ visibilityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const text = range.getBoundingClientRect();
    for (let box: Element | null = parent; box && box !== document.body; box = box.parentElement)
      if (isCutBy(box, getComputedStyle(box), text)) cut.push(`cut off: ${node.textContent} in ${box.className}`);
  }
  return cut;
}

export const findClippedText = (page: Page, within: string) => page.evaluate(clippedText, within);
