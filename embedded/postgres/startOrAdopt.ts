import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Binaries } from './binaries';
import { tryConnect } from './tryConnect';
import { endpointOf, newEndpoint, type Endpoint } from './endpoint';
import type { DataFolder } from './dataFolder';
import { readPidFile, removeStrangersMarks } from './pidfile';
import { startPostmaster, stopPostmaster, type Started } from './postmaster';
import { isPostmasterOf } from './processes';

export interface EmbeddedServer {
  dataFolder: DataFolder;
  binaries: Binaries;
  say: (sentence: string) => void;
  /** Where clients connect. A postmaster that is started again listens there too. */
  endpoint?: Endpoint;
}

const LONGEST_START = 600_000;
const SLOW_START = 5_000;
const LONGEST_SILENCE = 5_000;
/** Another start was faster, or the children of a killed postmaster are not all gone yet. */
const SOON_OVER = /already exists|still in use|being used by another/;

async function start(server: EmbeddedServer): Promise<Started> {
  server.endpoint ??= await newEndpoint(server.dataFolder);
  removeStrangersMarks(server.dataFolder.cluster, server.endpoint.host, server.endpoint.port);
  return startPostmaster(server.binaries, server.dataFolder, server.endpoint);
}

function checkEnded(server: EmbeddedServer, started: Started): void {
  const why = started.complaint();
  if (SOON_OVER.test(why)) return;
  throw new Error(`PostgreSQL did not start: ${why} (see ${server.dataFolder.log}, or set DATABASE_URL).`);
}

/** No answer: starts a postmaster, unless one lives and needs time. One that stays silent is stopped first. */
async function wake(server: EmbeddedServer, silentFor: number): Promise<Started | undefined> {
  const { dataFolder, binaries } = server;
  const pid = readPidFile(dataFolder.cluster)?.pid;
  if (pid && isPostmasterOf(dataFolder.cluster, pid)) {
    if (silentFor > LONGEST_SILENCE) await stopPostmaster(binaries, dataFolder, pid);
    return undefined;
  }
  return start(server);
}

/** A connection to the cluster's postmaster, whoever started it, or one that we start now. */
export async function startOrAdopt(server: EmbeddedServer): Promise<Client> {
  let started: Started | undefined;
  const began = Date.now();
  let [heard, told] = [began, false];
  while (Date.now() - began < LONGEST_START) {
    const endpoint = endpointOf(server.dataFolder, readPidFile(server.dataFolder.cluster));
    const answer = await tryConnect(server.dataFolder, endpoint);
    if (typeof answer === 'object') {
      server.endpoint = endpoint;
      return answer;
    }
    if (answer === 'busy') heard = Date.now();
    if (started?.ended()) {
      checkEnded(server, started);
      started = undefined;
      await sleep(100);
    } else if (!started && answer === 'silent') started = await wake(server, Date.now() - heard);
    if (!told && Date.now() - began > SLOW_START) {
      told = true;
      server.say('PostgreSQL needs longer than usual: it is putting its files in order.');
    }
    await sleep(answer === 'busy' ? 100 : 10);
  }
  throw new Error(`PostgreSQL did not answer for ${LONGEST_START / 60_000} minutes: see ${server.dataFolder.log}.`);
}
