import { buyerOf } from '../lib/buyer.mjs';
import { endCopies, openCopies } from '../lib/copies.mjs';
import { patient } from '../lib/patient.mjs';
import { newPerson, putUser } from '../lib/people.mjs';

const count = (answers, status) => answers.filter((answer) => answer.status === status).length;

/** What one person may do a minute, done through all copies in turn. */
export async function sharedLimits(report, databaseUrl, seed) {
  const scene = await openCopies(seed, databaseUrl, { RATE_LIMIT: 'on' });
  const { tools } = scene;
  const client = patient(scene.client);
  const person = await newPerson(client);
  const buyer = buyerOf(client);
  const placed = [];
  for (let n = 0; n < 90; n++) placed.push(await buyer.place(buyer.newEntry(person, tools[0])));
  const orders = [count(placed, 201), count(placed, 429)].join(' taken, ');
  report.line(
    '90 orders of one person over three copies',
    `${orders} refused`,
    '60 taken, 30 refused',
    orders === '60 taken, 30',
  );
  const asked = [];
  for (let n = 0; n < 15; n++) asked.push(await putUser(client, person.email, person.idToken));
  const sessions = [count(asked, 200) + 1, count(asked, 429)].join(' given, ');
  report.line(
    '16 sessions of one person over three copies',
    `${sessions} refused`,
    '10 given, 6 refused',
    sessions === '10 given, 6',
  );
  await endCopies(scene);
}
