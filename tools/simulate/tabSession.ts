import type { Ledger } from './ledger';
import type { SimulatedResponse, World } from './world';

export const PASSWORD = 'secret-1';

/** A user with a browser, whose tabs share one token. */
export class Person {
  token = '';
  isSignedIn = true;
  /** Nothing of the person but what the books need may be left. */
  isErased = false;
  /** Set before `isErased`, because requests of the person can be answered in between. */
  wasErasureRequested = false;
  /** Tokens of ended sessions, which the shop must refuse. */
  readonly endedTokens: string[] = [];

  constructor(
    readonly number: number,
    readonly name: string,
    readonly id: string,
    readonly email: string,
    readonly isAdmin: boolean,
  ) {}
}

/** One browser tab, which sends each request to any copy. */
export class TabSession {
  constructor(
    readonly world: World,
    readonly person: Person,
  ) {}

  get ledger(): Ledger {
    return this.world.ledger;
  }

  /** @returns undefined if no response arrived */
  async call(method: string, url: string, body?: unknown, key?: string): Promise<SimulatedResponse | undefined> {
    const { person } = this;
    const { token } = person;
    const headers: Record<string, string> = { authorization: `Bearer ${token}` };
    if (key) headers['idempotency-key'] = key;
    const hadEnded = person.endedTokens.includes(token);
    const response = await this.world.send(person.name, { method, url, body, headers });
    if (response?.status === 401 && person.isSignedIn && token === person.token) {
      if (await this.signIn()) return this.call(method, url, body, key);
    }
    if (response && response.status < 300 && hadEnded)
      this.ledger.note(`${person.name} could use an ended session: ${method} ${url}`);
    return response;
  }

  /** Sends the request up to four times, until a response below 500 arrives. */
  async callWithRetries(
    method: string,
    url: string,
    body?: unknown,
    key?: string,
  ): Promise<SimulatedResponse | undefined> {
    for (let tries = 0; tries < 4; tries++) {
      const response = await this.call(method, url, body, key);
      if (response && response.status < 500) return response;
    }
    return undefined;
  }

  /** @returns whether the login succeeded */
  async signIn(): Promise<boolean> {
    const { person, world } = this;
    const fields = { email: person.email, password: PASSWORD, returnSecureToken: true };
    const url = '/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=any';
    const account = await world.send(person.name, { method: 'POST', url, body: fields, headers: {} });
    if (account?.status !== 200) return false;
    const response = await world.send(person.name, {
      ...{ method: 'PUT', url: `/user/${encodeURIComponent(person.email)}`, body: { email: person.email } },
      headers: { authorization: `Bearer ${String(account.body['idToken'])}` },
    });
    if (response?.status !== 200) return false;
    person.token = String(response.body['token']);
    person.isSignedIn = true;
    return true;
  }

  ownOrders = () => [...this.ledger.orders.values()].filter(({ owner }) => owner === this.person.number);
  pick = <T>(list: T[], choice: number): T | undefined => list[choice % Math.max(1, list.length)];
}
