const MIN_PASSWORD_LENGTH = 6;
const UNREACHABLE = "We can't reach the shop. Check your connection and try again.";
const FAILED = 'Something went wrong. Try again in a moment.';
const LINK_CODES = ['INVALID_OOB_CODE', 'EXPIRED_OOB_CODE'];

const parameters = new URLSearchParams(location.search);
const oobCode = parameters.get('oobCode');
const element = (selector) => document.querySelector(selector);
const [heading, message, form, problem] = ['h1', '#message', 'form', '#problem'].map(element);
const [submit, password, reveal] = ['[type=submit]', '#password', '#show'].map(element);
const [retry, onward] = ['#retry', '#continue'].map(element);

class CallError extends Error {}

async function call(name, fields) {
  const response = await fetch(`/identitytoolkit.googleapis.com/v1/accounts:${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ oobCode, ...fields }),
  });
  const body = await response.json();
  if (response.ok) return body;
  throw new CallError(body.error?.message ?? '');
}

/** Only a page of this site, because anyone can put another URL into a link to this page. */
function readContinueUrl() {
  const given = parameters.get('continueUrl') ?? '';
  return given.startsWith(`${location.origin}/`) ? given : '/';
}

function show(title, text, shown) {
  document.title = `${title} | Forgeline`;
  heading.textContent = title;
  message.textContent = text;
  for (const part of [form, retry, onward]) part.hidden = part !== shown;
  if (shown === form) password.focus();
  else heading.focus();
}

function showFailure(error) {
  if (error instanceof CallError && LINK_CODES.includes(error.message))
    show(
      "This link doesn't work anymore",
      'A link works once, for one hour. If you still need one, ask for a new link and open the latest email.',
      onward,
    );
  else show("We couldn't check your link", error instanceof TypeError ? UNREACHABLE : FAILED, retry);
}

async function verifyEmail() {
  const { email } = await call('update', {});
  show('Your email is verified', `Thanks. We now know that ${email} is yours.`, onward);
}

async function startReset() {
  const { email } = await call('resetPassword', {});
  form.elements.email.value = email;
  show('Set a new password', `For your account ${email}.`, form);
}

function explain(error) {
  if (error instanceof TypeError) return UNREACHABLE;
  const [code, detail] = error.message.split(' : ');
  return code === 'WEAK_PASSWORD' && detail ? detail : FAILED;
}

function showProblem(text) {
  problem.textContent = text;
  password.ariaInvalid = 'true';
  password.focus();
}

async function savePassword(newPassword) {
  try {
    await call('resetPassword', { newPassword });
    onward.textContent = 'Log in';
    show('Your password is changed', "You're logged out on all devices. Log in with your new password.", onward);
  } catch (error) {
    if (error instanceof CallError && LINK_CODES.includes(error.message)) return showFailure(error);
    showProblem(explain(error));
  }
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  if (submit.disabled) return;
  if (password.value.length < MIN_PASSWORD_LENGTH)
    return showProblem(`Use at least ${MIN_PASSWORD_LENGTH} characters.`);
  submit.disabled = true;
  await savePassword(password.value);
  submit.disabled = false;
});
reveal.addEventListener('click', () => {
  const isHidden = password.type === 'password';
  password.type = isHidden ? 'text' : 'password';
  reveal.textContent = isHidden ? 'Hide' : 'Show';
  reveal.ariaLabel = `${reveal.textContent} password`;
});
retry.addEventListener('click', () => location.reload());
onward.href = readContinueUrl();

const MODES = { verifyEmail, resetPassword: startReset };
const start = Object.hasOwn(MODES, parameters.get('mode') ?? '') && oobCode && MODES[parameters.get('mode')];
if (start) start().catch(showFailure);
else show("This link isn't complete", 'Open the whole link from the email, or copy all of it.', onward);
