import { setTimeout as sleep } from 'node:timers/promises';
import { clientOf } from '../lib/client.mjs';
import { patient } from '../lib/patient.mjs';
import { theAdmin } from '../lib/people.mjs';
import { ownFolder } from '../lib/place.mjs';
import { hasPostgres, ownPostgres } from '../lib/postgres.mjs';
import { ordersOf } from '../lib/proof.mjs';
import { none } from '../lib/report.mjs';
import { openScene, underLoad } from '../lib/scene.mjs';
import { commandOf, doctor, shopOf } from '../lib/shop.mjs';

/** All that the shop answers to those whom it concerns, to the byte. */
async function answersOf({ origin }, people, admin) {
  const client = patient(clientOf(origin));
  const ask = (path, who) =>
    client.send('GET', path, { token: who?.token }).then(({ status, text }) => `${status} ${text}`);
  const answers = { tools: await ask('/tool'), reviews: await ask('/review') };
  answers.orders = await ask('/order', admin);
  answers.users = await ask('/user', admin);
  for (const person of people) {
    const email = encodeURIComponent(person.email);
    answers[`orders of ${email}`] = await ask(`/order?email=${email}`, person);
    answers[`profile of ${email}`] = await ask(`/profile/${email}`, person);
  }
  client.close();
  return answers;
}

const differences = (one, other) =>
  Object.keys(one)
    .filter((name) => one[name] !== other[name])
    .map((name) => `${name}: ${one[name].slice(0, 60)} / ${other[name].slice(0, 60)}`);

async function restored(env, file) {
  const shop = await shopOf(env);
  const { status, said } = await commandOf(shop, 'restore', file, '--move');
  if (status !== 0) throw new Error(`restore ends with ${status}: ${said}`);
  await shop.start();
  return shop;
}

const elsewhere = () => ({ DATA_DIR: `${ownFolder()}/data` });

/** As of one moment under load: what was acknowledged before it began is in it. */
async function backedUpUnderLoad(scene, file) {
  let before = [];
  let told;
  const load = await underLoad(scene, async (ledger) => {
    await sleep(1_500);
    before = ledger.entries.filter(({ is }) => is.has('placed'));
    told = await commandOf(scene.shop, 'backup', file);
    await sleep(300);
  });
  if (told.status !== 0) throw new Error(`backup ends with ${told.status}: ${told.said}`);
  return { kept: before.filter(({ asked }) => !asked.has('deleted')), total: load.entries.length };
}

async function missing(shop, people, kept) {
  const client = clientOf(shop.origin);
  const there = new Set();
  for (const person of people) for (const { address } of await ordersOf(client, person)) there.add(address);
  return kept.filter(({ key }) => !there.has(key)).map(({ key }) => key);
}

export async function backup({ report, seed }) {
  const scene = await openScene(seed);
  const { shop, client, people } = scene;
  const admin = await theAdmin(client);
  const file = `${scene.folder}/shop.backup`;
  const { kept, total } = await backedUpUnderLoad(scene, file);
  const copy = await restored(elsewhere(), file);
  const lost = await missing(copy, people, kept);
  const what = `backup under load (${total} orders), not in it of ${kept.length} acknowledged before`;
  report.line(what, none(lost), '0', lost.length === 0);
  await doctor(report, copy, 'the doctor of what was restored');
  if (hasPostgres()) {
    const { url } = await ownPostgres();
    const other = await restored({ DATABASE_URL: url }, file);
    const odd = differences(await answersOf(copy, people, admin), await answersOf(other, people, admin));
    report.line('answers that differ between an empty folder and another PostgreSQL', none(odd), '0', odd.length === 0);
  }

  const quiet = `${scene.folder}/quiet.backup`;
  await commandOf(shop, 'backup', quiet);
  const again = await restored(elsewhere(), quiet);
  const answers = await answersOf(shop, people, admin);
  const odd = differences(answers, await answersOf(again, people, admin));
  const bytes = Object.values(answers).join('').length;
  report.line(`answers (${bytes} bytes) that differ from those of the shop itself`, none(odd), '0', odd.length === 0);
  await doctor(report, shop);
}
