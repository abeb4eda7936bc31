/** What every email has. The identity provider may refuse more. */
export const EMAIL_PATTERN = /^[^@\s]+@[^@\s]+$/;
