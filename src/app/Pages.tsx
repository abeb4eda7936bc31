import { memo } from 'react';
import { Route, Routes } from 'react-router-dom';
import { RequireAccess } from './RequireAccess';
import { dashboard, dashboardPages, notFound, pages, type RouteRow } from './routes';

const guardedElement = ({ access, Page }: RouteRow) => (
  <RequireAccess access={access}>
    <Page />
  </RequireAccess>
);

function AllPages() {
  return (
    <Routes>
      {pages.map((row) => (
        <Route key={row.path} path={row.path} element={guardedElement(row)} />
      ))}
      <Route
        path="/dashboard"
        element={
          <RequireAccess access="signedIn">
            <dashboard.Page pages={dashboardPages} />
          </RequireAccess>
        }
      >
        {dashboardPages.map((row) =>
          row.path === '' ? (
            <Route key="index" index element={guardedElement(row)} />
          ) : (
            <Route key={row.path} path={row.path} element={guardedElement(row)} />
          ),
        )}
      </Route>
      <Route path="*" element={<notFound.Page />} />
    </Routes>
  );
}

/** Memoized, because rendering a page again while its chunk is loading would replace it with a spinner. */
export const Pages = memo(AllPages);
