import { Activity, useLayoutEffect, useRef, useState } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';
import { openToolIn, toolPath } from '../contract/toolPath';
import { deferredComponent } from '../ui/deferredComponent';
import { retryUntilRendered } from '../ui/retryUntilRendered';
import type { LazyPage } from './lazyPage';

const WaitingOrders = deferredComponent(() => import(/* webpackChunkName: "waiting-orders" */ './WaitingOrders'));

function focusLinkTo(tool: string): boolean {
  const link = document.querySelector<HTMLElement>(`[href="${toolPath(tool)}"]:not([tabindex])`);
  link?.focus();
  return link !== null;
}

/**
 * Back from a tool focuses the link that opened it. If the tool was reloaded, that is the link in its card, and focusing
 * it also scrolls to its place in the list.
 */
function useReturnFocus(openTool: string | null) {
  const navigationType = useNavigationType();
  const opener = useRef<HTMLElement | string>(null);
  useLayoutEffect(() => {
    const { activeElement, body } = document;
    if (openTool !== null) {
      opener.current ??= activeElement === body ? openTool : (activeElement as HTMLElement);
      return;
    }
    const target = opener.current;
    opener.current = null;
    if (!target || navigationType !== 'POP') return;
    if (typeof target === 'string') return retryUntilRendered(() => focusLinkTo(target));
    target.focus({ preventScroll: true });
  }, [openTool, navigationType]);
}

/** While a tool is open, the home page is only hidden, so that Back shows the place in the list at once. */
export function homeWithTool(home: LazyPage, tool: LazyPage<{ id: string }>): LazyPage {
  function Page() {
    const { search, state } = useLocation();
    // The state survives a reload and Back, but the line belongs only to the login.
    const isAfterLogin =
      useNavigationType() === 'REPLACE' && (state as { afterLogin?: true } | null)?.afterLogin === true;
    const openTool = openToolIn(search);
    const [hasHome, setHasHome] = useState(openTool === null);
    if (openTool === null && !hasHome) setHasHome(true);
    useReturnFocus(openTool);
    return (
      <>
        {isAfterLogin && <WaitingOrders />}
        {openTool !== null && <tool.Page key={openTool} id={openTool} />}
        {hasHome && (
          <Activity mode={openTool === null ? 'visible' : 'hidden'}>
            <home.Page />
          </Activity>
        )}
      </>
    );
  }
  const partFor = (queryString: string) => (openToolIn(queryString) === null ? home : tool);
  return { ...home, Page, prefetch: (queryString = '') => partFor(queryString).prefetch() };
}
