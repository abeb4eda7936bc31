/** Between them, where one came from is kept; nobody is sent back to one. */
export const AUTH_PATHS = ['/login', '/signup'];
