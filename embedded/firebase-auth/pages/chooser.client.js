const form = document.querySelector('form');
const problem = document.querySelector('#problem');
const buttons = document.querySelectorAll('button:not(#cancel)');
const event = new URLSearchParams(location.search).get('event');

function setBusy(isBusy) {
  for (const button of buttons) button.disabled = isBusy;
}

async function requestCredential(person) {
  const response = await fetch('/identity/google/credential', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(person),
  });
  const body = await response.json();
  if (response.ok) return body.idToken;
  const code = body.error?.message ?? '';
  if (code === 'INVALID_EMAIL') throw new Error('Enter a valid email.');
  if (code.startsWith('TOO_MANY')) throw new Error('Too many attempts. Wait a few minutes, then try again.');
  throw new Error("We couldn't log you in. Check the name and the email, then try again.");
}

async function choose(displayName, email) {
  problem.textContent = '';
  if (!window.opener) {
    problem.textContent = "The shop didn't open this window. Go to the shop and press Continue with Google.";
    return;
  }
  setBusy(true);
  try {
    const idToken = await requestCredential({ displayName, email });
    window.opener.postMessage({ type: 'forgeline:google', event, idToken }, location.origin);
    window.close();
  } catch (error) {
    problem.textContent =
      error instanceof TypeError ? "We can't reach the shop. Check your connection and try again." : error.message;
  }
  setBusy(false);
}

form.addEventListener('submit', (submit) => {
  submit.preventDefault();
  const fields = new FormData(form);
  void choose(fields.get('name'), fields.get('email'));
});
for (const person of document.querySelectorAll('.person')) {
  person.addEventListener('click', () => choose(person.dataset.name, person.dataset.email));
}
document.querySelector('#cancel').addEventListener('click', () => window.close());
setBusy(false);
