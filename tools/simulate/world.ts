import type { PoolConfig } from 'pg';
import { openCopy, type Copy } from './copies';
import { emptyDatabase } from './database';
import type { Decisions } from './decisions';
import { faults, NO_FAULTS } from './faults';
import { simulatedRuntime } from './simulatedRuntime';
import { Ledger } from './ledger';
import { MailBox } from './mailBox';
import { runActions } from './runActions';
import { Person, TabSession } from './tabSession';
import { PEOPLE, TOOLS } from './initialRows';
import type { SimulatedCase } from './plan';
import { scheduler } from './scheduler';

export interface SimulatedResponse {
  status: number;
  body: Record<string, unknown>;
}

export interface SimulatedRequest {
  method: string;
  url: string;
  body?: unknown;
  headers: Record<string, string>;
}

/** The state of one run: the copies of the server, their mail server, and the users. */
export class World {
  readonly ledger = new Ledger();
  readonly mailBox = new MailBox();
  readonly people: Person[];
  readonly tools = TOOLS.map((tool) => ({ ...tool }));
  readonly deletesSent = new Set<string>();
  /** The payments that a person pays back without the shop, and the only way in which people do that. */
  readonly repaidByHand = new Map<string, 'at the bank' | 'at the provider'>();
  copies: Copy[] = [];
  crashes = 0;
  openTabs = 0;
  /** Whether work has taken so many steps that it never ends. The run then ends without waiting for it. */
  isEndless = false;
  /** Labels of work that must end before the run does: requests, sweeps, rounds of mail, tabs. */
  readonly unfinished = new Map<number, string>();
  private nextWork = 0;
  private price = 100;
  private copyNumber = 0;

  constructor(
    readonly simulatedCase: SimulatedCase,
    readonly decisions: Decisions,
    private readonly connection: PoolConfig,
  ) {
    this.people = PEOPLE.map(({ name, id, email, isAdmin }, n) => new Person(n, name, id, email, isAdmin));
  }

  async open(): Promise<void> {
    Object.assign(faults, NO_FAULTS);
    await emptyDatabase();
    for (let n = 0; n < this.simulatedCase.copies; n++) await this.addCopy();
    const { tokens } = this.copies[0]!.shop.deps;
    for (const person of this.people)
      person.token = tokens.issue(person.id, {
        authTime: new Date(simulatedRuntime.now - 60_000),
        forAdmin: person.isAdmin,
      });
    Object.assign(faults, this.simulatedCase.faults);
    await scheduler.renumber();
  }

  async addCopy(): Promise<void> {
    const faultsBefore = { ...faults };
    Object.assign(faults, NO_FAULTS);
    this.copies.push(await openCopy(++this.copyNumber, this.connection));
    Object.assign(faults, faultsBefore);
  }

  newPrice = () => ++this.price;
  pickCopy = (): Copy => this.copies[this.decisions.draw(this.copies.length)]!;

  trackWork<T>(label: string, work: Promise<T>): Promise<T> {
    const id = this.nextWork++;
    this.unfinished.set(id, label);
    return work.finally(() => this.unfinished.delete(id));
  }

  startTabs() {
    for (const { person, actions } of this.simulatedCase.tabs) {
      const tab = new TabSession(this, this.people[person]!);
      this.openTabs++;
      void this.trackWork(`a tab of ${tab.person.name}`, runActions(tab, actions))
        .catch((error: Error) => this.ledger.note(`The simulator failed: ${error.stack}`))
        .finally(() => this.openTabs--);
    }
  }

  /** @returns undefined if no response arrived */
  async send(from: string, { method, url, body, headers }: SimulatedRequest): Promise<SimulatedResponse | undefined> {
    const copy = this.pickCopy();
    await scheduler.hold({
      ...{ kind: 'request', copy: undefined, client: undefined, run: () => Promise.resolve() },
      label: `${from} sends ${method} ${url} to copy ${copy.number}`,
      detail: body === undefined ? '' : JSON.stringify(body),
    });
    if (copy.isDead) return undefined;
    const isLost = this.decisions.happens(faults.response);
    const response = await this.trackWork(`${method} ${url}`, this.inject(copy, { method, url, body, headers }));
    const result = response
      ? `${response.status} ${String(response.body['code'] ?? '')}`
      : 'no response, because the copy crashed';
    scheduler.trace(
      `${from} ${isLost && response ? 'does not receive the response' : 'gets'} ${result} for ${method} ${url}`,
    );
    if (response?.status === 500) this.ledger.note(`The response to ${method} ${url} was an internal error.`);
    return isLost ? undefined : response;
  }

  private async inject(
    copy: Copy,
    { method, url, body, headers }: SimulatedRequest,
  ): Promise<SimulatedResponse | undefined> {
    const isText = typeof body === 'string';
    const requestHeaders = { ...(body !== undefined && !isText && { 'content-type': 'application/json' }), ...headers };
    const payload = body === undefined || isText ? body : JSON.stringify(body);
    const pendingResponse = copy.runInContext(() =>
      copy.shop.app.inject({ method: method as 'GET', url, payload, headers: requestHeaders }),
    );
    try {
      const { statusCode, payload: text } = await Promise.race([pendingResponse, copy.crashed]);
      return { status: statusCode, body: text.startsWith('{') ? (JSON.parse(text) as SimulatedResponse['body']) : {} };
    } catch (error) {
      if (copy.isDead) return undefined;
      throw error;
    }
  }

  /** Ends the copy as `kill -9` does, and starts another one. */
  async crash(copy: Copy): Promise<void> {
    this.crashes++;
    copy.isDead = true;
    this.copies = this.copies.filter((other) => other !== copy);
    copy.crash(new Error('crashed'));
    await scheduler.endSessionsOf(copy);
    await this.addCopy();
  }

  /** Records that the session of this token has ended. Requests that were sent before may still be accepted. */
  endToken(person: Person, token: string) {
    person.endedTokens.push(token);
  }

  issuedAtMs(token: string): number {
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString() || '{}') as {
      iat?: number;
    };
    return Math.round((claims.iat ?? Infinity) * 1000);
  }

  /** Whether a person may pay this payment back. In two ways it would be the fault of people, which the doctor reports. */
  mayRepay(intentId: string, way: 'at the bank' | 'at the provider'): boolean {
    if (!this.repaidByHand.has(intentId)) this.repaidByHand.set(intentId, way);
    return this.repaidByHand.get(intentId) === way;
  }

  mayBeDeleted = (id: string) =>
    this.deletesSent.has(id) || this.people[this.ledger.orders.get(id)!.owner]!.wasErasureRequested;
}
