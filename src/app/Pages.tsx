import { memo } from 'react';
import { Route, Routes } from 'react-router-dom';
import { RequireAccess } from './RequireAccess';
import { dashboard, dashboardPages, notFound, pages, type RouteRow } from './routes';

const guarded = ({ access, Page }: RouteRow) => (
  <RequireAccess access={access}>
    <Page />
  </RequireAccess>
);

function AllPages() {
  return (
    <Routes>
      {pages.map((row) => (
        <Route key={row.path} path={row.path} element={guarded(row)} />
      ))}
      <Route
        path="/dashboard"
        element={
          <RequireAccess access="signedIn">
            <dashboard.Page />
          </RequireAccess>
        }
      >
        {dashboardPages.map((row) =>
          row.path === '' ? (
            <Route key="index" index element={guarded(row)} />
          ) : (
            <Route key={row.path} path={row.path} element={guarded(row)} />
          ),
        )}
      </Route>
      <Route path="*" element={<notFound.Page />} />
    </Routes>
  );
}

/** Drawn anew with what is around them, pages whose script is still on its way would give way to a spinner. */
export const Pages = memo(AllPages);
