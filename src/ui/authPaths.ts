/** These pages pass on the path to which the login returns, but are never that path themselves. */
export const AUTH_PATHS = ['/login', '/signup'];
