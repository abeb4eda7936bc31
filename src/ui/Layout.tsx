import { memo, useState, type ReactNode } from 'react';
import { preload } from 'react-dom';
import { useLocation } from 'react-router-dom';
import styled from 'styled-components';
import { barlow } from './barlow';
import { ErrorBoundary } from './ErrorBoundary';
import { later } from './later';
import { Navbar, type NavbarProps } from './Navbar';
import { Skip } from './navbarStyle';
import { PageName } from './PageName';
import { useArrival } from './useArrival';

/** Drawn anew with what is around it, a footer whose script is on its way would go. */
const Footer = memo(later(() => import(/* webpackChunkName: "footer" */ './Footer')));

const Main = styled.main`
  min-height: calc(100vh - 64px);
`;

/** Until its script has come it is another one in every place, and no way on waits for it; then it stays. */
function Foot() {
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
  useArrival();
  preload(barlow, { as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' });
  return (
    <>
      <Skip href="#main">Skip to the content</Skip>
      <Navbar session={session} onSignOut={onSignOut} />
      <Main id="main" tabIndex={-1}>
        {children}
      </Main>
      <Foot />
      <PageName />
    </>
  );
}
