import { clientOf } from '../lib/client.mjs';
import { buyerOf } from '../lib/buyer.mjs';
import { newPerson, newTools, putUser, renewed, theAdmin } from '../lib/people.mjs';
import { ownFolder } from '../lib/place.mjs';
import { forAll } from '../lib/proof.mjs';
import { randomOf } from '../lib/random.mjs';
import { none } from '../lib/report.mjs';
import { doctor, shopOf } from '../lib/shop.mjs';
import { complaint } from '../fuzzing/fits.mjs';
import { judge, shrink } from '../fuzzing/judge.mjs';
import { anyRequest, naughtyRequests, operationsOf } from '../fuzzing/requests.mjs';

const IDS_KEPT = 50;

async function open() {
  const shop = await shopOf({ DATA_DIR: `${ownFolder()}/data` });
  await shop.start();
  const client = clientOf(shop.origin, 16);
  const [ann, bob, admin] = [await newPerson(client), await newPerson(client), await theAdmin(client)];
  const tools = await newTools(client, admin, 3);
  const buyer = buyerOf(client);
  const entries = [ann, ann, bob].map((person) => buyer.newEntry(person, tools[0]));
  for (const entry of entries) await buyer.place(entry);
  const tokens = { ann: ann.token, bob: bob.token, admin: admin.token, garbage: 'garbage' };
  return { shop, client, ann, bob, admin, tokens, tools, entries, statuses: {} };
}

/** What makes a request reach further than the first check. */
function knownOf({ ann, bob, admin, tools, entries }) {
  const ids = [...tools.map(({ _id }) => _id), ...entries.map(({ order }) => order._id)].slice(0, IDS_KEPT);
  const fitting = {
    productName: (random) => random.one(tools).name,
    toolId: (random) => random.one(tools)._id,
    totalQuantity: (random) => random.whole(1, 5),
    order: (random) => random.one(ids),
    email: () => undefined,
    price: () => 7,
  };
  return {
    ids: () => ids,
    emails: [ann.email, bob.email, admin.email, 'nobody@mail.example'],
    fits: (name, random) => (random.chance(0.9) ? fitting[name]?.(random) : undefined),
  };
}

async function judgeAll(scene, requests, found) {
  await forAll(requests, async (made) => {
    scene.tokens.admin = (await renewed(scene.client, scene.admin)).token;
    const wrong = await judge(scene, made);
    if (wrong && found.length < 5) found.push(`${wrong}: ${JSON.stringify(await shrink(scene, made, wrong))}`);
    else if (wrong) found.push(wrong);
  });
}

/** What is kept is what the contract of its making allows. */
async function stored({ client, admin, ann, bob }, operations) {
  const draftOf = (path) => operations.find((one) => one.path === path && one.body).body;
  const read = async (path) => (await client.send('GET', path, { token: admin.token })).body;
  const wrong = [];
  for (const [list, only] of [
    ['/tool', ['name', 'price', 'minimumOrderQuantity', 'availableQuantity', 'description', 'img']],
    ['/review', ['description', 'ratings', 'img']],
    ['/order', ['productName', 'address', 'phone', 'totalQuantity']],
  ]) {
    const schema = { ...draftOf(list), required: only };
    for (const row of await read(list)) {
      const kept = Object.fromEntries(only.map((name) => [name, row[name]]));
      const complained = complaint(schema, kept, list);
      if (complained) wrong.push(complained);
    }
  }
  for (const { email } of [ann, bob, admin]) {
    const profile = await read(`/profile/${encodeURIComponent(email)}`);
    const complained = profile.address && complaint(draftOf('/profile'), profile, '/profile');
    if (complained) wrong.push(complained);
  }
  const admins = (await read('/user')).filter(({ role }) => role === 'admin').map(({ email }) => email);
  return { wrong, admins };
}

export async function fuzz({ report, size, short, seed }) {
  const scene = await open();
  const operations = operationsOf((await scene.client.send('GET', '/openapi.json')).body);
  const random = randomOf(seed);
  const known = knownOf(scene);
  // A promotion or a sign-out would make other callers of ann, bob and the admin.
  const calls = operations.filter(({ path }) => path !== '/user/admin/{email}' && path !== '/session');
  const found = [];
  const naughty = [...naughtyRequests(calls, random, known)].filter((_, n) => !short || n % 5 === 0);
  await judgeAll(scene, naughty, found);
  report.line(
    `${naughty.length} naughty texts in fields, answers that should not be`,
    none(found),
    '0',
    found.length === 0,
  );
  const others = Array.from({ length: size(10_000, 1_500) }, () => anyRequest(calls, random, known));
  const wrong = [];
  await judgeAll(scene, others, wrong);
  const told = `${others.length} requests made from the contract (seed ${seed}), answers that should not be`;
  report.line(told, none(wrong), '0', wrong.length === 0);
  report.note(`answers: ${JSON.stringify(scene.statuses)}`);
  await renewed(scene.client, scene.admin);
  const kept = await stored(scene, operations);
  report.line('kept though the contract forbids it', none(kept.wrong), '0', kept.wrong.length === 0);
  const one =
    kept.admins.length === 1 && (await putUser(scene.client, scene.ann.email, scene.ann.idToken)).body.role !== 'admin';
  report.line('admins in the end', kept.admins.join(', '), 'the one of the demo', one);
  await doctor(report, scene.shop);
}
