import { randomUUID } from 'node:crypto';
import { patient } from './patient.mjs';

const PASSWORD = 'faults-1';
const ADMIN = { email: 'admin@forgeline.example', password: 'forgeline-demo' };

/** A server that has just started may say that it is busy. */
async function must(client, ask, status) {
  const answer = await ask(patient(client));
  if (answer.status !== status) throw new Error(`wanted ${status}, got ${answer.status}: ${answer.text.slice(0, 300)}`);
  return answer.body;
}

const identity = (client, call, body) =>
  must(
    client,
    ({ send }) =>
      send('POST', `/identitytoolkit.googleapis.com/v1/accounts:${call}?key=any`, {
        body: { returnSecureToken: true, ...body },
      }),
    200,
  );

export const putUser = (client, email, idToken) =>
  client.send('PUT', `/user/${encodeURIComponent(email)}`, { token: idToken, body: { email } });

async function enter(client, call, who) {
  const { idToken } = await identity(client, call, who);
  const { token, _id } = await must(client, (waiting) => putUser(waiting, who.email, idToken), 200);
  return { email: who.email, id: _id, idToken, token };
}

export const newPerson = (client, name = 'Ann Fault') =>
  enter(client, 'signUp', { email: `${randomUUID()}@mail.example`, password: PASSWORD, displayName: name });

export async function newPeople(client, count) {
  const people = [];
  for (let n = 0; n < count; n++) people.push(await newPerson(client));
  return people;
}

/** An admin's token lives ten minutes. */
const RENEW_AFTER_MS = 300_000;

export const theAdmin = async (client) => ({
  ...(await enter(client, 'signInWithPassword', ADMIN)),
  since: Date.now(),
});

export async function renewed(client, admin) {
  const isOld = Date.now() - admin.since > RENEW_AFTER_MS;
  return isOld ? Object.assign(admin, await theAdmin(client)) : admin;
}

export async function newTool(client, admin, values = {}) {
  const { token } = await renewed(client, admin);
  const body = {
    name: `Tool ${randomUUID()}`,
    price: 7,
    minimumOrderQuantity: 1,
    availableQuantity: 1_000_000,
    description: 'A tool to find faults with.',
    img: '/images/placeholder.svg',
    ...values,
  };
  return must(client, ({ send }) => send('POST', '/tool', { token, body }), 201);
}

export async function newTools(client, admin, count, values) {
  const tools = [];
  for (let n = 0; n < count; n++) tools.push(await newTool(client, admin, values));
  return tools;
}
