import { buyerOf } from '../lib/buyer.mjs';
import { patient } from '../lib/patient.mjs';
import { newPeople, newTool, theAdmin } from '../lib/people.mjs';
import { NO_POSTGRES, hasPostgres, ownPostgres } from '../lib/postgres.mjs';
import { none } from '../lib/report.mjs';
import { openScene } from '../lib/scene.mjs';
import { doctor } from '../lib/shop.mjs';

const PIECES = 100;
/** So many that no customer needs more than their share of the last pieces. */
const BUYERS = 100;

/** One customer has at most 100 orders without a price. */
const isExpected = ({ status, body }) => status === 201 || (status === 409 && body.code === 'too_many_unpriced_orders');

async function sellOut({ client, admin, people }, buyers) {
  const tool = await newTool(client, admin, { availableQuantity: PIECES });
  const buyer = buyerOf(patient(client));
  const entries = Array.from({ length: buyers }, (_, n) => buyer.newEntry(people[n % people.length], tool));
  const answers = await Promise.all(entries.map(buyer.place));
  const sold = answers.filter(({ status, body }) => status === 201 && body.price !== null).length;
  const { body } = await patient(client).send('GET', `/tool/${tool._id}`);
  return { sold, other: answers.filter((answer) => !isExpected(answer)).length, left: body.availableQuantity };
}

/** More orders at once than there are pieces. */
export async function lastPieces(report, scene, rounds, buyers) {
  const ends = [];
  const people = await newPeople(scene.client, BUYERS);
  for (let n = 0; n < rounds; n++) ends.push(await sellOut({ ...scene, people }, buyers));
  const wrong = ends.filter(({ sold, other, left }) => sold !== PIECES || other > 0 || left !== 0);
  const told = none(wrong.map(({ sold, left, other }) => `${sold} sold, ${left} left, ${other} refused`));
  const what = `${rounds} times ${buyers} orders of the last ${PIECES} pieces, not exactly ${PIECES} sold`;
  report.line(what, told, '0', wrong.length === 0);
}

async function sellOutOn(report, seed, rounds, env) {
  const scene = await openScene(seed, env);
  await lastPieces(report, { ...scene, admin: await theAdmin(scene.client) }, rounds, 1_000);
  await doctor(report, scene.shop);
  await scene.shop.end('SIGTERM');
}

export async function stock({ report, size, seed }) {
  const rounds = size(50, 2);
  await sellOutOn(report, seed, rounds);
  if (!hasPostgres()) return report.note(`Not run with a PostgreSQL that is given: ${NO_POSTGRES}.`);
  const { url } = await ownPostgres();
  await sellOutOn(report, seed, rounds, { DATABASE_URL: url });
}
