import { addTools } from './admin.mjs';
import { answerOf, startLimit } from './limit.mjs';
import { load } from './load.mjs';
import { many, percent, perSecond } from './numbers.mjs';
import { startShop } from './shop.mjs';

export const title = 'Reads (32 connections, server on one core, generator on another)';
export const columns = [
  'What',
  'shop, requests/s',
  'bare Fastify',
  'bare node:http',
  'processor time a request, µs: shop',
  'bare Fastify',
  'of bare Fastify (by processor time)',
  'target',
  'p99, ms',
];

const ROUNDS = 5;
const REQUESTS = 20_000;
const SECONDS = 10;
const MOST_MS = 20;
const MANY_TOOLS = 5000;
const api = { accept: 'application/json', 'accept-encoding': 'gzip, br' };
const browser = { accept: 'text/html,application/xhtml+xml', 'accept-encoding': 'gzip, deflate, br' };

/** The same load on the three servers in turn, so that what else the machine does falls on all of them. */
async function compare(shop, paths, headers) {
  const answers = [];
  for (const path of paths) answers.push(await answerOf(shop.origin, path, headers));
  const limits = [await startLimit('fastify', answers), await startLimit('http', answers)];
  const servers = [shop, ...limits];
  const runs = servers.map(() => []);
  const wanted = { paths, headers, seconds: SECONDS, requests: REQUESTS };
  for (const server of servers) await load(server, wanted);
  for (let round = 0; round < ROUNDS; round++)
    for (const [i, server] of servers.entries()) runs[i].push(await load(server, wanted));
  await Promise.all(limits.map(({ stop }) => stop()));
  return runs;
}

const most = (values) => Math.max(...values);
/** What others do at the same time can only make a round dearer: the cheapest of each is the truest. */
const least = (values) => Math.min(...values);
const cheapest = (runs) => least(runs.map((run) => run.microseconds ?? 1e6 / run.perSecond));

function lineOf(what, runs, target) {
  const costs = runs.map(cheapest);
  const ratio = costs[1] / costs[0];
  const p99 = least(runs[0].map((run) => run.p99));
  const refused = runs[0].reduce((sum, run) => sum + run.refused, 0);
  const rates = runs.map((rounds) => perSecond(most(rounds.map((run) => run.perSecond))));
  const shown = costs.slice(0, 2).map((cost) => cost.toFixed(1));
  return {
    cells: [what, ...rates, ...shown, percent(ratio), `>= ${percent(target)}`, p99.toFixed(1)],
    ok: ratio >= target && p99 < MOST_MS && refused === 0,
    ratio,
  };
}

export async function* measure() {
  const shop = await startShop({ env: { RATE_LIMIT: process.platform === 'linux' ? 'on' : 'off' } });
  const tools = await (await fetch(`${shop.origin}/tool`)).json();
  const { etag } = await answerOf(shop.origin, '/tool', api);
  const one = `/tool/${tools[0]._id}`;
  yield lineOf('GET /tool', await compare(shop, ['/tool'], api), 0.6);
  yield lineOf('GET /tool, not changed (304)', await compare(shop, ['/tool'], { ...api, 'if-none-match': etag }), 0.6);
  const single = lineOf('GET /tool/{id}', await compare(shop, [one], api), 0.6);
  yield single;
  yield lineOf('GET /review', await compare(shop, ['/review'], api), 0.6);
  yield lineOf('The home page (HTML)', await compare(shop, ['/'], browser), 0.6);
  await addTools(shop, MANY_TOOLS - tools.length);
  const all = await (await fetch(`${shop.origin}/tool`)).json();
  const paths = all.map(({ _id }) => `/tool/${_id}`);
  yield lineOf(
    `GET /tool/{id} over ${many(all.length)} at random`,
    await compare(shop, paths, api),
    (single.ratio * 2) / 3,
  );
  await shop.stop();
}
