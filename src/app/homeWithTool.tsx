import { Activity, useLayoutEffect, useRef, useState } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';
import { openToolIn } from '../contract/toolPath';
import { deferredComponent } from '../ui/deferredComponent';
import type { LazyPage } from './lazyPage';

const OrdersToShip = deferredComponent(() => import(/* webpackChunkName: "orders-to-ship" */ './OrdersToShip'));

/** Back from a tool focuses the link that opened it. */
function useReturnFocus(openTool: string | null) {
  const navigationType = useNavigationType();
  const opener = useRef<Element>(null);
  useLayoutEffect(() => {
    if (openTool !== null) {
      opener.current ??= document.activeElement;
      return;
    }
    if (navigationType === 'POP' && opener.current instanceof HTMLElement)
      opener.current.focus({ preventScroll: true });
    opener.current = null;
  }, [openTool, navigationType]);
}

/** While a tool is open, the home page is only hidden, so that Back shows the place in the list at once. */
export function homeWithTool(home: LazyPage, tool: LazyPage<{ id: string }>): LazyPage {
  function Page() {
    const { search, state } = useLocation();
    const openTool = openToolIn(search);
    const [hasHome, setHasHome] = useState(openTool === null);
    if (openTool === null && !hasHome) setHasHome(true);
    useReturnFocus(openTool);
    return (
      <>
        {(state as { afterLogin?: true } | null)?.afterLogin && <OrdersToShip />}
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
