import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { cutOff } from './connect';
import { endpointOf } from './endpoint';
import type { Home } from './home';
import { NAME } from './options';
import { reach, type House } from './reach';

export type Claim = (client: Client) => Promise<void>;

export interface Keeper {
  /** Ends the watch; the connection, if there is one, still holds the lock. */
  release(): Promise<Client | undefined>;
}

const PAUSE = 1_000;

const MADE_MEANWHILE = ['42710', '42P04', '23505'];

async function make(client: Client, statement: string): Promise<void> {
  await client.query(statement).catch((error: { code?: string }) => {
    if (!MADE_MEANWHILE.includes(error.code ?? '')) throw error;
  });
}

/** The shop's role owns its database and may make others, but is no superuser: it reaches no file and no program. */
async function ensureDatabase(client: Client, home: Home): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [NAME]);
  if (rowCount) return;
  const { password } = endpointOf(home, undefined);
  const secret = password ? ` password ${client.escapeLiteral(password)}` : '';
  await make(client, `create role ${NAME} login createdb${secret}`);
  await make(client, `create database ${NAME} owner ${NAME}`);
}

/** A postmaster that another process is stopping may cut us off while we come in: then we knock again. */
export async function enter(house: House, claim: Claim): Promise<Client> {
  for (;;) {
    const client = await reach(house);
    try {
      await claim(client);
      await ensureDatabase(client, house.home);
      return client;
    } catch (error) {
      await client.end().catch(() => undefined);
      if (!cutOff(error)) throw error;
    }
  }
}

/** Holds the server's connection: when it breaks, PostgreSQL is started again and the lock taken again. */
export async function keep(house: House, claim: Claim): Promise<Keeper> {
  let [held, released]: [Client | undefined, boolean] = [undefined, false];
  let mending: Promise<void> | undefined;

  async function hold() {
    const client = await enter(house, claim);
    held = client.once('end', () => {
      held = undefined;
      if (!released) mending = mend();
    });
  }

  async function mend() {
    house.say('The connection to PostgreSQL broke: opening it again.');
    for (let told = false; !released; await sleep(PAUSE)) {
      try {
        await hold();
        return house.say('PostgreSQL is there again.');
      } catch (error) {
        if (!told) house.say(error instanceof Error ? error.message : String(error));
        told = true;
      }
    }
  }

  await hold();
  return {
    async release() {
      released = true;
      await Promise.race([mending, sleep(PAUSE, undefined, { ref: false })]);
      return held;
    },
  };
}
