import { memo, useState, type ReactNode, useEffect, useRef } from 'react';
import { preload } from 'react-dom';
import { useLocation } from 'react-router-dom';
import styled from 'styled-components';
import { ErrorBoundary } from './ErrorBoundary';
import { deferredComponent } from './deferredComponent';
import { fontUrls } from './fontUrls';
import { Navbar, type NavbarProps } from './Navbar';
import { useFocusAndScrollOnNavigate } from './useFocusAndScrollOnNavigate';
import { VisuallyHidden } from './page';

/**
 * Makes screen readers announce the new title after a client-side navigation. By default, they announce only page
 * loads.
 */
function TitleAnnouncer() {
  const liveRegion = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    let lastTitle = document.title;
    const observer = new MutationObserver(() => {
      if (document.title !== lastTitle) liveRegion.current!.textContent = lastTitle = document.title;
    });
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, []);
  return <VisuallyHidden ref={liveRegion} aria-live="polite" />;
}

/** Memoized, because rendering it again while its chunk is loading would hide the footer in the server's HTML. */
const Footer = memo(deferredComponent(() => import(/* webpackChunkName: "footer" */ './Footer')));

const Main = styled.main`
  min-height: calc(100vh - 64px);
`;

/**
 * Until the footer's chunk is loaded, each navigation mounts a new footer. If the chunk failed to load, the new footer
 * requests it again, and the navigation does not wait for it.
 */
function DeferredFooter() {
  const { pathname } = useLocation();
  const [mountPath, setMountPath] = useState(pathname);
  const [isLoaded, setLoaded] = useState(false);
  if (!isLoaded && mountPath !== pathname) setMountPath(pathname);
  return (
    <ErrorBoundary key={mountPath}>
      <Footer onLoaded={setLoaded} />
    </ErrorBoundary>
  );
}

export function Layout({ session, onSignOut, children }: NavbarProps & { children: ReactNode }) {
  useFocusAndScrollOnNavigate();
  for (const url of fontUrls) preload(url, { as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' });
  return (
    <>
      <Navbar session={session} onSignOut={onSignOut} />
      <Main id="main" tabIndex={-1}>
        {children}
      </Main>
      <DeferredFooter />
      <TitleAnnouncer />
    </>
  );
}
