import { emailRules, nameRules } from '../../../src/features/auth/credentialFields';

test.each([
  ['ann@mail.example', true],
  ['Zoë', true],
  ['abc', true],
  ['éàü@1.2', true],
  ['1@2.com', true],
  ['12.34@56.78', false],
  ['aa@bb.cc', false],
  ['a1b2c3', false],
  ['12345', false],
  ['ab', false],
])('an email must contain three letters in a row: %j is accepted: %s', (email, isAccepted) => {
  expect(emailRules.pattern.value.test(email)).toBe(isAccepted);
});

test.each(['nora@', '@mail.example', 'nora', 'nora lee@mail.example'])('%s is not a valid email', (email) => {
  expect(emailRules.validate(email)).toBe('Provide a valid Email');
});

test.each([
  ['Ann', true],
  ['  ', 'Name is Required'],
])('a name typed as %j is answered with %j', (name, result) => {
  expect(nameRules.validate(name)).toBe(result);
});
