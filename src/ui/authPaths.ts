/** Pages that pass the return path on to each other and are never a return path themselves. */
export const AUTH_PATHS = ['/login', '/signup'];
