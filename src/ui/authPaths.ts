/** These pages pass on the path to return to after login, and are never that path themselves. */
export const AUTH_PATHS = ['/login', '/signup'];
