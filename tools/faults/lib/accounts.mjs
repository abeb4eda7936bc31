import { randomUUID } from 'node:crypto';
import { withRetries } from './retryingClient.mjs';

const PASSWORD = 'faults-1';
const ADMIN = { email: 'admin@forgeline.example', password: 'forgeline-demo' };

/** Retries, because a server that has just started may answer 503. */
async function requireStatus(client, send, status) {
  const response = await send(withRetries(client));
  if (response.status !== status)
    throw new Error(
      `A request was answered with ${response.status} instead of ${status}: ${response.text.slice(0, 300)}`,
    );
  return response.body;
}

const callIdentity = (client, call, body) =>
  requireStatus(
    client,
    ({ send }) =>
      send('POST', `/identitytoolkit.googleapis.com/v1/accounts:${call}?key=any`, {
        body: { returnSecureToken: true, ...body },
      }),
    200,
  );

export const putUser = (client, email, idToken) =>
  client.send('PUT', `/user/${encodeURIComponent(email)}`, { token: idToken, body: { email } });

async function signIn(client, call, credentials) {
  const { idToken } = await callIdentity(client, call, credentials);
  const { token, _id } = await requireStatus(client, (retrying) => putUser(retrying, credentials.email, idToken), 200);
  return { email: credentials.email, id: _id, idToken, token, signedInAt: Date.now() };
}

export const createPerson = (client, name = 'Ann Fault') =>
  signIn(client, 'signUp', { email: `${randomUUID()}@mail.example`, password: PASSWORD, displayName: name });

export async function createPeople(client, count) {
  const people = [];
  for (let n = 0; n < count; n++) people.push(await createPerson(client));
  return people;
}

/** Half the time after which the tokens of an admin and of a customer expire. */
const RENEW_ADMIN_AFTER_MS = 300_000;
const RENEW_PERSON_AFTER_MS = 1_800_000;

export const signInAdmin = (client) => signIn(client, 'signInWithPassword', ADMIN);

export async function refreshAdminToken(client, admin) {
  const isOld = Date.now() - admin.signedInAt > RENEW_ADMIN_AFTER_MS;
  return isOld ? Object.assign(admin, await signInAdmin(client)) : admin;
}

/** For scenarios that can take longer than an hour. */
export async function renewTokens(client, people) {
  for (const person of people.filter(({ signedInAt }) => Date.now() - signedInAt > RENEW_PERSON_AFTER_MS))
    Object.assign(person, await signIn(client, 'signInWithPassword', { email: person.email, password: PASSWORD }));
}

export async function createTool(client, admin, values = {}) {
  const { token } = await refreshAdminToken(client, admin);
  const body = {
    name: `Tool ${randomUUID()}`,
    price: 7,
    minimumOrderQuantity: 1,
    availableQuantity: 1_000_000,
    description: 'A tool to find faults with.',
    img: '/images/placeholder.svg',
    ...values,
  };
  return requireStatus(client, ({ send }) => send('POST', '/tool', { token, body }), 201);
}

export async function createTools(client, admin, count, values) {
  const tools = [];
  for (let n = 0; n < count; n++) tools.push(await createTool(client, admin, values));
  return tools;
}
