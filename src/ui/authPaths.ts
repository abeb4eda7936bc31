/** Pages that pass the return address on to each other and are never a return address themselves. */
export const AUTH_PATHS = ['/login', '/signup'];
