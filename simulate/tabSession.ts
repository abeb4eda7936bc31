import type { Ledger } from './ledger';
import type { Answer, World } from './world';

export const PASSWORD = 'secret-1';

/** A person with a browser. Its tabs share the token. */
export class Person {
  token = '';
  isSignedIn = true;
  /** Tokens of sessions that ended. The shop must refuse them for good. */
  readonly endedTokens: string[] = [];

  constructor(
    readonly number: number,
    readonly name: string,
    readonly id: string,
    readonly email: string,
    readonly isAdmin: boolean,
  ) {}
}

/** One tab of a person: it sends requests to any copy, and tries again when it gets no answer. */
export class TabSession {
  constructor(
    readonly world: World,
    readonly person: Person,
  ) {}

  get ledger(): Ledger {
    return this.world.ledger;
  }

  /** @returns undefined when no answer came */
  async call(method: string, url: string, body?: unknown, key?: string): Promise<Answer | undefined> {
    const { person } = this;
    const { token } = person;
    const headers: Record<string, string> = { authorization: `Bearer ${token}` };
    if (key) headers['idempotency-key'] = key;
    const hadEnded = person.endedTokens.includes(token);
    const answer = await this.world.send(person.name, { method, url, body, headers });
    if (answer?.status === 401 && person.isSignedIn && token === person.token) {
      if (await this.signIn()) return this.call(method, url, body, key);
    }
    if (answer && answer.status < 300 && hadEnded)
      this.ledger.note(`${person.name} used a session that had ended: ${method} ${url}`);
    return answer;
  }

  /** Presses the button again until an answer comes. */
  async insist(method: string, url: string, body?: unknown, key?: string): Promise<Answer | undefined> {
    for (let tries = 0; tries < 4; tries++) {
      const answer = await this.call(method, url, body, key);
      if (answer && answer.status < 500) return answer;
    }
    return undefined;
  }

  /** @returns whether the shop let the person in */
  async signIn(): Promise<boolean> {
    const { person, world } = this;
    const fields = { email: person.email, password: PASSWORD, returnSecureToken: true };
    const url = '/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=any';
    const account = await world.send(person.name, { method: 'POST', url, body: fields, headers: {} });
    if (account?.status !== 200) return false;
    const answer = await world.send(person.name, {
      ...{ method: 'PUT', url: `/user/${encodeURIComponent(person.email)}`, body: { email: person.email } },
      headers: { authorization: `Bearer ${String(account.body['idToken'])}` },
    });
    if (answer?.status !== 200) return false;
    person.token = String(answer.body['token']);
    person.isSignedIn = true;
    return true;
  }

  ownOrders = () => [...this.ledger.orders.values()].filter(({ owner }) => owner === this.person.number);
  pick = <T>(list: T[], choice: number): T | undefined => list[choice % Math.max(1, list.length)];
}
