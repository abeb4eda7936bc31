import { addTools } from './seedData.mjs';
import { fetchResponse, startBaseline } from './baseline.mjs';
import { runLoad } from './runLoad.mjs';
import { formatCount, median, formatPercent, formatRate } from './statistics.mjs';
import { startShop } from './shop.mjs';

export const title = 'Reads (32 connections, server on one core, generator on another)';
export const columns = [
  'What',
  'shop, requests/s',
  'bare Fastify, requests/s',
  'bare node:http, requests/s',
  'CPU time of the shop per request, µs',
  'CPU time of bare Fastify per request, µs',
  'CPU time of bare Fastify as a share of the shop’s',
  'target',
  'p99, ms',
];

const ROUNDS = 11;
const REQUESTS = 10_000;
const SECONDS = 10;
const MAX_P99_MS = 20;
const MANY_TOOLS = 5000;
const apiHeaders = { accept: 'application/json', 'accept-encoding': 'gzip, br' };
const browserHeaders = { accept: 'text/html,application/xhtml+xml', 'accept-encoding': 'gzip, deflate, br' };

/** Runs the load on the three servers in turn, so that other work of the machine affects all of them. */
async function runLoadOnAll(shop, paths, headers) {
  const responses = [];
  for (const path of paths) responses.push(await fetchResponse(shop.origin, path, headers));
  const baselines = [await startBaseline('fastify', responses), await startBaseline('http', responses)];
  const servers = [shop, ...baselines];
  const runs = servers.map(() => []);
  const options = { paths, headers, seconds: SECONDS, requests: REQUESTS };
  for (const server of servers) await runLoad(server, options);
  for (let round = 0; round < ROUNDS; round++)
    for (const [i, server] of servers.entries()) runs[i].push(await runLoad(server, options));
  await Promise.all(baselines.map(({ stop }) => stop()));
  return runs;
}

const costPerRequest = (run) => run.cpuMicroseconds ?? 1e6 / run.perSecond;

/**
 * Compares each round of the shop with the baseline's round of the same time. The median ignores single rounds that a
 * busy machine distorts.
 */
function createLine(label, runs, target) {
  const [shop, fastify] = runs;
  const ratio = median(shop.map((run, i) => costPerRequest(fastify[i]) / costPerRequest(run)));
  const p99 = median(shop.map((run) => run.p99));
  const refused = shop.reduce((sum, run) => sum + run.refused, 0);
  const rates = runs.map((rounds) => formatRate(median(rounds.map((run) => run.perSecond))));
  const costs = [shop, fastify].map((rounds) => median(rounds.map(costPerRequest)).toFixed(1));
  return {
    cells: [label, ...rates, ...costs, formatPercent(ratio), `>= ${formatPercent(target)}`, p99.toFixed(1)],
    ok: ratio >= target && p99 < MAX_P99_MS && refused === 0,
    ratio,
  };
}

export async function* measure() {
  const shop = await startShop({ env: { RATE_LIMIT: process.platform === 'linux' ? 'on' : 'off' } });
  const tools = await (await fetch(`${shop.origin}/tool`)).json();
  const { etag } = await fetchResponse(shop.origin, '/tool', apiHeaders);
  const toolPath = `/tool/${tools[0]._id}`;
  yield createLine('GET /tool', await runLoadOnAll(shop, ['/tool'], apiHeaders), 0.6);
  yield createLine(
    'GET /tool, not changed (304)',
    await runLoadOnAll(shop, ['/tool'], { ...apiHeaders, 'if-none-match': etag }),
    0.6,
  );
  const single = createLine('GET /tool/{id}', await runLoadOnAll(shop, [toolPath], apiHeaders), 0.6);
  yield single;
  yield createLine('GET /review', await runLoadOnAll(shop, ['/review'], apiHeaders), 0.6);
  yield createLine('The home page (HTML)', await runLoadOnAll(shop, ['/'], browserHeaders), 0.6);
  await addTools(shop, MANY_TOOLS - tools.length);
  const allTools = await (await fetch(`${shop.origin}/tool`)).json();
  const paths = allTools.map(({ _id }) => `/tool/${_id}`);
  yield createLine(
    `GET /tool/{id}, ${formatCount(allTools.length)} at random`,
    await runLoadOnAll(shop, paths, apiHeaders),
    (single.ratio * 2) / 3,
  );
  await shop.stop();
}
