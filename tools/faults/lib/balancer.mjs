import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import { clearInterval, clearTimeout, setInterval, setTimeout } from 'node:timers';
import { onCleanUp } from './cleanUp.mjs';

const CONNECT_TIMEOUT_MS = 1_000;
const CHECK_INTERVAL_MS = 500;
const CHECK_TIMEOUT_MS = 1_000;
const MAX_MISSED_CHECKS = 2;

/** Closes a connection that is not established in time, as to a machine that is cut off. */
function limitConnectTime(upstreamRequest) {
  upstreamRequest.on('socket', (socket) => {
    if (!socket.connecting) return;
    socket.setTimeout(CONNECT_TIMEOUT_MS, () => {
      if (socket.connecting) socket.destroy(Object.assign(new Error('not connected'), { code: 'ETIMEDOUT' }));
    });
    socket.once('connect', () => socket.setTimeout(0));
  });
}

/** @returns the status of `/readyz`, or undefined if there is no response in time */
function checkReadiness({ address, port }) {
  const check = request({ host: address, port, path: '/readyz', headers: { host: 'localhost' } });
  const timer = setTimeout(() => check.destroy(), CHECK_TIMEOUT_MS);
  return new Promise((resolve) => {
    check.on('response', (response) => resolve(response.resume().statusCode));
    check.on('error', () => undefined).on('close', () => resolve(undefined));
    check.end();
  }).finally(() => clearTimeout(timer));
}

/** Knows which servers are ready, and the requests that each of them is answering. */
function watchServers(shops, checksReadiness) {
  const servers = shops.map((shop) => ({ shop, isReady: true, missedChecks: 0, requests: new Set() }));
  async function check(server) {
    const status = await checkReadiness(server.shop);
    server.isReady = status === 200;
    server.missedChecks = status === undefined ? server.missedChecks + 1 : 0;
    if (server.missedChecks < MAX_MISSED_CHECKS) return;
    for (const pending of server.requests) pending.destroy(new Error('the server does not respond'));
  }
  if (checksReadiness) {
    const timer = setInterval(() => servers.forEach(check), CHECK_INTERVAL_MS);
    onCleanUp(() => clearInterval(timer));
  }
  let next = 0;
  return {
    /** @returns a server that is ready, or any server if none is, so that customers get its response */
    choose() {
      const ready = servers.filter(({ isReady }) => isReady);
      const candidates = ready.length > 0 ? ready : servers;
      return candidates[next++ % candidates.length];
    },
  };
}

const NOT_CONNECTED = ['ECONNREFUSED', 'ETIMEDOUT', 'EHOSTUNREACH'];

/**
 * Starts a load balancer that uses the servers in turn. It tries the next server only if there is no connection. With
 * `checksReadiness` it uses only the servers whose `/readyz` answers 200, and it closes the connections of customers whose
 * server doesn't respond anymore.
 */
export async function startBalancer(shops, { checksReadiness = false } = {}) {
  const agent = new Agent({ keepAlive: true, maxSockets: 200 });
  const servers = watchServers(shops, checksReadiness);

  function forward(incoming, outgoing, body, tries) {
    const { shop, requests } = servers.choose();
    const { method, url: path, headers } = incoming;
    const upstreamRequest = request(
      { host: shop.address, port: shop.port, method, path, headers, agent },
      (upstream) => {
        outgoing.writeHead(upstream.statusCode, upstream.headers);
        upstream.on('error', () => outgoing.destroy());
        upstream.pipe(outgoing);
      },
    );
    requests.add(upstreamRequest);
    limitConnectTime(upstreamRequest);
    upstreamRequest.once('close', () => requests.delete(upstreamRequest));
    upstreamRequest.on('error', (error) => {
      if (outgoing.headersSent) outgoing.destroy();
      else if (NOT_CONNECTED.includes(error.code) && tries < shops.length) forward(incoming, outgoing, body, tries + 1);
      else if (checksReadiness) outgoing.destroy();
      else outgoing.writeHead(502).end();
    });
    upstreamRequest.end(body);
  }

  const listener = createServer((incoming, outgoing) => {
    const chunks = [];
    incoming.on('data', (chunk) => chunks.push(chunk));
    incoming.on('end', () => forward(incoming, outgoing, Buffer.concat(chunks), 1));
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  onCleanUp(() => {
    listener.close();
    listener.closeAllConnections();
    agent.destroy();
  });
  return { origin: `http://127.0.0.1:${listener.address().port}` };
}
