import { APP_MESSAGES } from '../../../src/contract/appMessages';
import { IDENTITY_MESSAGES, PASSWORD_CHANGE_MESSAGES } from '../../../src/contract/identityMessages';

/** Which of them the provider sends depends on its version and on whether it hides which emails have accounts. */
const WRONG_LOGIN = [
  'auth/invalid-credential',
  'auth/wrong-password',
  'auth/user-not-found',
  'auth/invalid-login-credentials',
];

const sentencesOf = (messages: Record<string, string>, codes: string[]) => [
  ...new Set(codes.map((code) => messages[code])),
];

test('each code of a wrong login has the same sentence, which does not reveal whether the email has an account', () => {
  expect(sentencesOf(IDENTITY_MESSAGES, WRONG_LOGIN)).toEqual(['Wrong email or password.']);
});

test('each code of a wrong password has the same sentence when the password is changed', () => {
  const codes = WRONG_LOGIN.filter((code) => code !== 'auth/user-not-found');
  expect(sentencesOf(PASSWORD_CHANGE_MESSAGES, codes)).toEqual(["This isn't your current password."]);
});

test('each code of an ended session has the sentence of an ended session', () => {
  const codes = ['auth/user-token-expired', 'auth/invalid-user-token'];
  expect(sentencesOf(IDENTITY_MESSAGES, codes)).toEqual([APP_MESSAGES.sessionEnded]);
});

test('each code of a canceled login window has the same sentence', () => {
  const codes = ['auth/popup-closed-by-user', 'auth/cancelled-popup-request'];
  expect(sentencesOf(IDENTITY_MESSAGES, codes)).toEqual(["Login was canceled. Try again when you're ready."]);
});
