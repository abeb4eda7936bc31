import { memo } from 'react';
import { Route, Routes } from 'react-router-dom';
import { Guarded } from './RequireAccess';
import { dashboard, dashboardPages, notFound, pages, type RouteRow } from './routes';

const guarded = ({ access, Page }: RouteRow) => (
  <Guarded access={access}>
    <Page />
  </Guarded>
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
          <Guarded access="signedIn">
            <dashboard.Page />
          </Guarded>
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
