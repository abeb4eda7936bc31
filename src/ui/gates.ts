/** Between them, where one came from is kept; nobody is sent back to one. */
export const GATES = ['/login', '/signup'];
