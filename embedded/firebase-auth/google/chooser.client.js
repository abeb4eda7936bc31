const form = document.querySelector('form');
const problem = document.querySelector('#problem');
const buttons = document.querySelectorAll('button:not(#cancel)');
const event = new URLSearchParams(location.search).get('event');

function busy(yes) {
  for (const button of buttons) button.disabled = yes;
}

async function credentialFor(person) {
  const response = await fetch('/identity/google/credential', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(person),
  });
  const answer = await response.json();
  if (response.ok) return answer.idToken;
  const code = answer.error?.message ?? '';
  if (code === 'INVALID_EMAIL') throw new Error('This is not an email address.');
  if (code.startsWith('TOO_MANY')) throw new Error('Too many tries. Wait a few minutes, then try again.');
  throw new Error('That did not work. Check the name and the email, then try again.');
}

async function choose(displayName, email) {
  problem.textContent = '';
  if (!window.opener) {
    problem.textContent = 'This window was opened by itself. Go to the shop and choose Google there.';
    return;
  }
  busy(true);
  try {
    const idToken = await credentialFor({ displayName, email });
    window.opener.postMessage({ type: 'forgeline:google', event, idToken }, location.origin);
    window.close();
  } catch (error) {
    problem.textContent = error instanceof TypeError ? 'The shop cannot be reached. Try again.' : error.message;
  }
  busy(false);
}

form.addEventListener('submit', (submit) => {
  submit.preventDefault();
  const typed = new FormData(form);
  void choose(typed.get('name'), typed.get('email'));
});
for (const person of document.querySelectorAll('.person')) {
  person.addEventListener('click', () => choose(person.dataset.name, person.dataset.email));
}
document.querySelector('#cancel').addEventListener('click', () => window.close());
busy(false);
