import { memo, useState, type ReactNode, useEffect, useRef } from 'react';
import { preload } from 'react-dom';
import { useLocation } from 'react-router-dom';
import styled from 'styled-components';
import { barlow } from './barlow';
import { ErrorBoundary } from './ErrorBoundary';
import { deferredComponent } from './deferredComponent';
import { Navbar, type NavbarProps } from './Navbar';
import { Skip } from './navbarStyle';
import { useFocusAndScrollOnNavigate } from './useFocusAndScrollOnNavigate';
import { Hidden } from './page';

/** Read aloud when one comes to another page without a load, as a load would be. */
function PageName() {
  const line = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    let known = document.title;
    const watch = new MutationObserver(() => {
      if (document.title !== known) line.current!.textContent = known = document.title;
    });
    watch.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => watch.disconnect();
  }, []);
  return <Hidden ref={line} aria-live="polite" />;
}

/** Drawn anew with what is around it, a footer whose script is on its way would go. */
const Footer = memo(deferredComponent(() => import(/* webpackChunkName: "footer" */ './Footer')));

const Main = styled.main`
  min-height: calc(100vh - 64px);
`;

/** Until its script has come it is another one in every place, and no way on waits for it; then it stays. */
function DeferredFooter() {
  const { pathname } = useLocation();
  const [place, setPlace] = useState(pathname);
  const [isThere, setThere] = useState(false);
  if (!isThere && place !== pathname) setPlace(pathname);
  return (
    <ErrorBoundary key={place}>
      <Footer onThere={setThere} />
    </ErrorBoundary>
  );
}

export function Layout({ session, onSignOut, children }: NavbarProps & { children: ReactNode }) {
  useFocusAndScrollOnNavigate();
  preload(barlow, { as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' });
  return (
    <>
      <Skip href="#main">Skip to the content</Skip>
      <Navbar session={session} onSignOut={onSignOut} />
      <Main id="main" tabIndex={-1}>
        {children}
      </Main>
      <DeferredFooter />
      <PageName />
    </>
  );
}
