import { TEXT } from './limits';

/** Control characters and halves of characters: nothing that has them is kept. */
const UNKEEPABLE = /[\p{Cc}\p{Cs}]/gu;

/** As much of a name as the server keeps. */
export const keptName = (name: string) =>
  name
    .replace(UNKEEPABLE, ' ')
    .trim()
    .slice(0, TEXT.name)
    .replace(/\p{Cs}$/u, '');

/** The name on what someone writes; without a display name the part of the address before the @. */
export const nameOf = ({ displayName, email }: { displayName: string; email: string }) =>
  displayName || keptName(email.split('@')[0]!);
