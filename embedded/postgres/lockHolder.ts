import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { cutOff } from './tryConnect';
import { endpointOf } from './endpoint';
import type { DataFolder } from './dataFolder';
import { NAME } from './serverOptions';
import { startOrAdopt, type EmbeddedServer } from './startOrAdopt';

export type ServerClaim = (client: Client) => Promise<void>;

export interface LockHolder {
  /** Stops watching. @returns the connection, which still has the lock, unless it is broken */
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
async function ensureDatabase(client: Client, dataFolder: DataFolder): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [NAME]);
  if (rowCount) return;
  const { password } = endpointOf(dataFolder, undefined);
  const secret = password ? ` password ${client.escapeLiteral(password)}` : '';
  await make(client, `create role ${NAME} login createdb${secret}`);
  await make(client, `create database ${NAME} owner ${NAME}`);
}

/** A postmaster that another process is stopping may cut us off while we come in: then we try again. */
export async function connectAndLock(server: EmbeddedServer, claim: ServerClaim): Promise<Client> {
  for (;;) {
    const client = await startOrAdopt(server);
    try {
      await claim(client);
      await ensureDatabase(client, server.dataFolder);
      return client;
    } catch (error) {
      await client.end().catch(() => undefined);
      if (!cutOff(error)) throw error;
    }
  }
}

/** Holds the connection that has the lock. When it breaks, PostgreSQL is started again and the lock is taken again. */
export async function holdLock(server: EmbeddedServer, claim: ServerClaim): Promise<LockHolder> {
  let [held, released]: [Client | undefined, boolean] = [undefined, false];
  let reopening: Promise<void> | undefined;

  async function hold() {
    const client = await connectAndLock(server, claim);
    held = client.once('end', () => {
      held = undefined;
      if (!released) reopening = reopen();
    });
  }

  async function reopen() {
    server.say('The connection to PostgreSQL broke: opening it again.');
    for (let told = false; !released; await sleep(PAUSE)) {
      try {
        await hold();
        return server.say('PostgreSQL is there again.');
      } catch (error) {
        if (!told) server.say(error instanceof Error ? error.message : String(error));
        told = true;
      }
    }
  }

  await hold();
  return {
    async release() {
      released = true;
      await Promise.race([reopening, sleep(PAUSE, undefined, { ref: false })]);
      return held;
    },
  };
}
