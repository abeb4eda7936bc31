import { MIN_PASSWORD_LENGTH } from '../../contract/limits';
import { MESSAGES } from '../../contract/messages';

const THREE_LETTERS = /\p{L}{3}/u;

export const emailRules = {
  required: MESSAGES.emailRequired,
  pattern: { value: THREE_LETTERS, message: MESSAGES.emailInvalid },
};
export const passwordRules = {
  required: MESSAGES.passwordRequired,
  minLength: { value: MIN_PASSWORD_LENGTH, message: MESSAGES.passwordShort },
};
export const nameRules = {
  required: MESSAGES.nameRequired,
  validate: (name: string) => name.trim() !== '' || MESSAGES.nameRequired,
};
