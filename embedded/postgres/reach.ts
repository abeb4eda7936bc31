import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Binaries } from './binaries';
import { knock } from './connect';
import { endpointOf, newEndpoint, type Endpoint } from './endpoint';
import type { Home } from './home';
import { readPidFile, removeStrangersMarks } from './pidfile';
import { startPostmaster, stopPostmaster, type Started } from './postmaster';
import { isPostmasterOf } from './processes';

export interface House {
  home: Home;
  binaries: Binaries;
  say: (sentence: string) => void;
  /** Where clients were told to go: a postmaster started again opens the same door. */
  endpoint?: Endpoint;
}

const LONGEST_START = 600_000;
const SLOW_START = 5_000;
const LONGEST_SILENCE = 5_000;
/** Another start was faster, or the children of a killed postmaster are not all gone yet. */
const SOON_OVER = /already exists|still in use|being used by another/;

async function start(house: House): Promise<Started> {
  house.endpoint ??= await newEndpoint(house.home);
  removeStrangersMarks(house.home.cluster, house.endpoint.host, house.endpoint.port);
  return startPostmaster(house.binaries, house.home, house.endpoint);
}

function checkEnded(house: House, started: Started): void {
  const why = started.complaint();
  if (SOON_OVER.test(why)) return;
  throw new Error(`PostgreSQL did not start: ${why} (see ${house.home.log}, or set DATABASE_URL).`);
}

/** Nobody answers: start our own, but for a postmaster that lives and only needs time, or is deaf and must go first. */
async function wake(house: House, silentFor: number): Promise<Started | undefined> {
  const { home, binaries } = house;
  const pid = readPidFile(home.cluster)?.pid;
  if (pid && isPostmasterOf(home.cluster, pid)) {
    if (silentFor > LONGEST_SILENCE) await stopPostmaster(binaries, home, pid);
    return undefined;
  }
  return start(house);
}

/** A connection to the cluster's postmaster, whoever started it, or one that we start now. */
export async function reach(house: House): Promise<Client> {
  let started: Started | undefined;
  const began = Date.now();
  let [heard, told] = [began, false];
  while (Date.now() - began < LONGEST_START) {
    const endpoint = endpointOf(house.home, readPidFile(house.home.cluster));
    const answer = await knock(house.home, endpoint);
    if (typeof answer === 'object') {
      house.endpoint = endpoint;
      return answer;
    }
    if (answer === 'busy') heard = Date.now();
    if (started?.ended()) {
      checkEnded(house, started);
      started = undefined;
      await sleep(100);
    } else if (!started && answer === 'silent') started = await wake(house, Date.now() - heard);
    if (!told && Date.now() - began > SLOW_START) {
      told = true;
      house.say('PostgreSQL needs longer than usual: it is putting its files in order.');
    }
    await sleep(answer === 'busy' ? 100 : 10);
  }
  throw new Error(`PostgreSQL did not answer for ${LONGEST_START / 60_000} minutes: see ${house.home.log}.`);
}
