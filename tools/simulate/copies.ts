import type { PoolConfig } from 'pg';
import { sendQueuedMail } from '../../server/mail/sendQueuedMail';
import { sweepOnce } from '../../server/jobs/sweep';
import { readSettings } from '../../server/settings/settings';
import { openShop, type Shop } from '../../server/shop';
import { silentLog } from './database';
import { currentCopy, simulatedRuntime } from './simulatedRuntime';
import type { MailBox } from './mailBox';
import { providerFaults } from './providerFaults';
import { scheduler } from './scheduler';
import { stallAt } from './stalls';
import { clientOf, type SteppedClient } from './steppedClient';

const ENVIRONMENT = {
  ...{ PORT: '3999', DEMO: 'off', RATE_LIMIT: 'off', LOG_LEVEL: 'silent' },
  ...{ SMTP_URL: 'smtp://127.0.0.1:25', MAIL_FROM: 'shop@forgeline.example', MAX_UNPAID_ORDERS: '3' },
};

const MAX_CONNECTIONS = 100;

/** One copy of the server. After a crash, its timers, statements and responses are discarded. */
export class Copy {
  isDead = false;
  /** Whether the scheduler holds back this copy's statements. */
  isStepped = false;
  isStarting = true;
  readonly connections = new Set<SteppedClient>();
  shop!: Shop;
  isSweeping = false;
  isSendingMail = false;
  /** How often this copy has reached each checkpoint. */
  readonly timesReached = new Map<string, number>();
  crash!: (error: Error) => void;
  readonly crashed: Promise<never>;

  private connectionCount = 0;

  constructor(readonly number: number) {
    this.crashed = new Promise((_resolve, reject) => (this.crash = reject));
    this.crashed.catch(() => undefined);
  }

  /** Resolves once the copy knows that its open database connections have ended. */
  connectionsEnded = () =>
    Promise.all([...this.connections].map((client) => new Promise((resolve) => client.once('end', resolve))));

  nextConnectionNumber = () => this.number * MAX_CONNECTIONS + ++this.connectionCount;

  runInContext = <T>(work: () => T): T => currentCopy.run(this, work);

  sweep(always: boolean): Promise<unknown> {
    this.isSweeping = true;
    return this.runInContext(() => sweepOnce(this.shop.deps, always))
      .catch(() => undefined)
      .finally(() => (this.isSweeping = false));
  }

  sendMail(box: MailBox): Promise<unknown> {
    this.isSendingMail = true;
    const { deps } = this.shop;
    const ctx = { ...deps, publicUrl: deps.settings.publicUrl, sender: box.senderOf(this) };
    return this.runInContext(() => sendQueuedMail(ctx))
      .catch(() => undefined)
      .finally(() => (this.isSendingMail = false));
  }
}

const settings = readSettings(ENVIRONMENT);

export async function openCopy(number: number, connection: PoolConfig): Promise<Copy> {
  const copy = new Copy(number);
  copy.isStepped = true;
  const opening = copy.runInContext(() =>
    openShop({
      ...{ settings, logger: silentLog, backgroundJobs: false, warmPages: false, passwordCost: 4, maxLagMs: Infinity },
      connection: { ...connection, Client: clientOf(copy) as unknown } as PoolConfig,
      now: () => new Date(simulatedRuntime.now),
      faults: providerFaults(copy),
      checkpoint: (name) => stallAt(copy, name),
    }),
  );
  copy.shop = await scheduler.runStepsOf(copy, opening);
  copy.isStarting = false;
  simulatedRuntime.reseed(`ids of copy ${number}`);
  return copy;
}
