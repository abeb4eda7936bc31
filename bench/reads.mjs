import { addTools } from './admin.mjs';
import { answerOf, startLimit } from './limit.mjs';
import { load } from './load.mjs';
import { many, median, percent, perSecond } from './numbers.mjs';
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

const ROUNDS = 11;
const REQUESTS = 10_000;
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

const costOf = (run) => run.microseconds ?? 1e6 / run.perSecond;

/** Each round of the shop is set beside the limit's of the same moment; what a busy machine does to single rounds the median leaves out. */
function lineOf(what, runs, target) {
  const [shop, fastify] = runs;
  const ratio = median(shop.map((run, i) => costOf(fastify[i]) / costOf(run)));
  const p99 = median(shop.map((run) => run.p99));
  const refused = shop.reduce((sum, run) => sum + run.refused, 0);
  const rates = runs.map((rounds) => perSecond(median(rounds.map((run) => run.perSecond))));
  const costs = [shop, fastify].map((rounds) => median(rounds.map(costOf)).toFixed(1));
  return {
    cells: [what, ...rates, ...costs, percent(ratio), `>= ${percent(target)}`, p99.toFixed(1)],
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
